import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { mintKey } from '@onceward/core';
import { migrate } from '@onceward/postgres';
import pg from 'pg';
import { startPostgres } from '../services/postgres.ts';
import type { Findings } from './findings.ts';
import { postgresVersion } from './open-server.ts';
import { spreadOf } from './spread.ts';
import type { StressOrder, StressReport } from './stress-process.ts';

export interface StressOptions {
  readonly durationMs: number;
}

/**
 * Three servers, forty callers at each, and duplicates of forty keys that are hot at a time, with
 * batching on: who waits for whom in a circle, and what is executed twice?
 */
export async function measureStress({ durationMs }: StressOptions): Promise<Findings> {
  await using server = await startPostgres(undefined, {
    // Whoever waits so long is looked at.
    settings: ['fsync=on', 'deadlock_timeout=50ms'],
  });
  const pool = new pg.Pool({ connectionString: server.url, max: 1 });
  pool.on('error', () => undefined);
  try {
    await migrate(pool);
    const reports = await runServers({
      url: server.url,
      keys: Array.from({ length: Math.round(durationMs) }, () => mintKey()),
      ...{ window: 40, workers: 40, startAt: Date.now() + 1_500, durationMs },
    });
    const executed = reports.flatMap((report) => report.executed);
    const { rows } = await pool.query<{ deadlocks: number }>(
      'select deadlocks::float8 from pg_stat_database where datname = current_database()',
    );
    const errors = reports.flatMap((report) => Object.entries(report.errors));
    if (errors.length > 0) throw new Error(`Expected no errors, got ${JSON.stringify(errors)}`);
    return {
      figures: {
        'pg.stress.deadlocks': spreadOf([rows[0]?.deadlocks ?? NaN]),
        'pg.stress.double_executions': spreadOf([executed.length - new Set(executed).size]),
        'pg.stress.deliveries': spreadOf([reports.reduce((sum, { calls }) => sum + calls, 0)]),
        'pg.stress.executions': spreadOf([executed.length]),
      },
      against: [await postgresVersion(server.url)],
    };
  } finally {
    await pool.end();
  }
}

async function runServers(order: StressOrder): Promise<StressReport[]> {
  // `run.mjs` has put it there.
  const script = join(import.meta.dirname, 'stress-process.js');
  const servers = Array.from({ length: 3 }, () => fork(script));
  try {
    return await Promise.all(
      servers.map(async (server) => {
        server.send(order);
        const [report] = (await Promise.race([
          once(server, 'message'),
          once(server, 'exit').then(() => {
            throw new Error('Expected a server under stress to go on, but it ended');
          }),
        ])) as [StressReport];
        return report;
      }),
    );
  } finally {
    for (const server of servers) server.kill();
  }
}
