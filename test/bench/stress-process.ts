// One of several servers that are sent the same mutations at the same time.
import { fingerprintOf, newToken } from '@onceward/conformance/requests';
import { type IdempotencyKey, keyTimestamp } from '@onceward/core';
import { postgresStore } from '@onceward/postgres';
import pg from 'pg';

/** What the process is told. */
export interface StressOrder {
  readonly url: string;
  /** Each server is sent all of them, several times. */
  readonly keys: readonly IdempotencyKey[];
  /** How many of them are hot at a time: wherever they begin, all servers go through them alike. */
  readonly window: number;
  readonly workers: number;
  readonly startAt: number;
  readonly durationMs: number;
}

/** What it says. */
export interface StressReport {
  readonly calls: number;
  /** Positions of the keys that this server executed: twice, if it did so twice. */
  readonly executed: readonly number[];
  /** Unexpected ones, by code. */
  readonly errors: Readonly<Record<string, number>>;
}

process.once('message', (order: StressOrder) => {
  void stress(order).then((report) => {
    process.send?.(report satisfies StressReport);
    process.disconnect();
  });
});

async function stress(order: StressOrder): Promise<StressReport> {
  const { url, keys, window, workers, startAt, durationMs } = order;
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  pool.on('error', () => undefined);
  const store = postgresStore(pool);
  const executed: number[] = [];
  const errors: Record<string, number> = {};
  let calls = 0;
  await rest(Math.max(0, startAt - Date.now()));

  const work = async () => {
    for (;;) {
      const share = (Date.now() - startAt) / durationMs;
      if (share >= 1) return;
      const first = Math.floor(share * (keys.length - window));
      const at = first + Math.floor(Math.random() * window);
      const key = keys[at]!;
      const request = {
        ...{ scope: 'alice', key, keyTimestampMs: keyTimestamp(key), operation: 'pay' },
        ...{ fingerprint: fingerprintOf('one input'), token: newToken() },
        ...{ leaseMs: 600_000, onStaleLease: 're-execute' as const },
        ...{ keyRetentionMs: 3_600_000, maxClockSkewMs: 0 },
      };
      calls++;
      try {
        const { kind } = await store.reserve(request);
        if (kind !== 'reserved') continue;
        executed.push(at);
        if (Math.random() < 0.3) await rest(Math.random() * 3);
        const end = await store.complete(request, completion);
        if (end !== 'completed') errors[end] = (errors[end] ?? 0) + 1;
      } catch (error) {
        const { code, name } = error as Error & { code?: string };
        errors[code ?? name] = (errors[code ?? name] ?? 0) + 1;
      }
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  await pool.end();
  return { calls, executed, errors };
}

const completion = {
  outcome: { kind: 'success' as const, answer: new Uint8Array(512) },
  answerRetentionMs: 3_600_000,
};

function rest(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
