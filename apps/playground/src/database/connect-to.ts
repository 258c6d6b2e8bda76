import { realpathSync } from 'node:fs';
import pg from 'pg';
import { databaseUrl } from './database-url.ts';

/** Connects to the PostgreSQL that runs on this cluster; `undefined` when none answers there. */
export async function connectTo(cluster: string, port: number): Promise<pg.Client | undefined> {
  const client = new pg.Client({
    connectionString: databaseUrl(port),
    connectionTimeoutMillis: 5_000,
  });
  // It ends with the server, which is noticed elsewhere.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ data_directory: string }>('show data_directory');
    if (rows[0] && realpathSync(rows[0].data_directory) === realpathSync(cluster)) return client;
  } catch {
    // Nobody there, somebody else there, or not yet ready: all the same to whoever asks.
  }
  void client.end().catch(() => undefined);
  return undefined;
}
