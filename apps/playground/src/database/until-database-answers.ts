import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

export interface Patience {
  readonly patienceMs: number;
  /** Ends the waiting at once. */
  readonly stopping: AbortSignal;
}

/**
 * Waits while PostgreSQL is started again and recovers: a server that comes back sooner has not
 * failed. Throws what the database said last when the patience is over.
 */
export async function untilDatabaseAnswers(
  databaseUrl: string,
  { patienceMs, stopping }: Patience,
): Promise<void> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      return await askOnce(databaseUrl);
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await pause(50, undefined, { signal: stopping });
  }
}

async function askOnce(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 });
  // Also told to whoever waits for the answer.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
  } finally {
    void client.end().catch(() => undefined);
  }
}
