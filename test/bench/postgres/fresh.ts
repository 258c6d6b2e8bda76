import { postgresStore } from '@onceward/postgres';
import { atOnce } from '../at-once.ts';
import { allFindings, type Findings, ratesOf } from '../findings.ts';
import { type Contestant, interleave, type InterleaveOptions } from '../interleave.ts';
import { timesAsMany } from '../times-as-many.ts';
import { answer, newIntent, reserveAndComplete } from './intents.ts';
import type { MeasuredServer } from './measured-server.ts';
import { openNaiveStore } from './naive-store.ts';

const concurrencies = [1, 16, 64, 256];

/** New keys: reserve and complete. */
export async function measureFresh(
  server: MeasuredServer,
  options: InterleaveOptions,
): Promise<Findings> {
  const findings: Findings[] = [];
  for (const concurrency of concurrencies) {
    findings.push(await measureAt(concurrency, server, options));
  }
  return allFindings(findings);
}

async function measureAt(
  concurrency: number,
  { pool, pgbench }: MeasuredServer,
  options: InterleaveOptions,
): Promise<Findings> {
  const store = postgresStore(pool);
  const unbatched = postgresStore(pool, { batching: false });
  const naive = await openNaiveStore(pool);
  const samples = await interleave(
    {
      naive: atOnce(concurrency, newIntent, async ({ key }) => {
        await naive.reserve(key);
        await naive.complete(key, answer);
      }),
      'one statement each': atOnce(concurrency, newIntent, (request) =>
        reserveAndComplete(unbatched, request),
      ),
      kit: atOnce(concurrency, newIntent, (request) => reserveAndComplete(store, request)),
      ...(pgbench ? { limit: pgbench.contestant('insert-update', concurrency) } : {}),
    } as Record<'naive' | 'one statement each' | 'kit' | 'limit', Contestant>,
    options,
  );
  const name = `pg.fresh.${concurrency}`;
  const versusLimit = `${name}.vs_pgbench_insert_update`;
  return {
    figures: {
      [`${name}.vs_naive`]: timesAsMany(samples.kit, samples.naive),
      [`${name}.vs_one_statement_each`]: timesAsMany(samples.kit, samples['one statement each']),
      ...(pgbench ? { [versusLimit]: timesAsMany(samples.kit, samples.limit) } : {}),
    },
    rates: ratesOf('pg.fresh', concurrency, samples),
    missing: pgbench ? {} : { [versusLimit]: 'pgbench is not on PATH' },
  };
}
