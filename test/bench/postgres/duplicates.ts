import { again } from '@onceward/conformance/requests';
import type { ReserveRequest } from '@onceward/core/store';
import { postgresStore } from '@onceward/postgres';
import { atOnce } from '../at-once.ts';
import { type Findings, ratesOf } from '../findings.ts';
import { type Contestant, interleave, type InterleaveOptions } from '../interleave.ts';
import { timesAsMany } from '../times-as-many.ts';
import { answer, completion, newIntent } from './intents.ts';
import type { MeasuredServer } from './measured-server.ts';
import { openNaiveStore } from './naive-store.ts';

/** Duplicates of what is done, and of what is in progress, 64 at a time. */
export async function measureDuplicates(
  { pool, pgbench }: MeasuredServer,
  options: InterleaveOptions,
): Promise<Findings> {
  const store = postgresStore(pool);
  const naive = await openNaiveStore(pool);
  const done = Array.from({ length: 1_000 }, newIntent);
  const held = Array.from({ length: 1_000 }, () => ({ ...newIntent(), leaseMs: 3_600_000 }));
  for (const request of [...done, ...held]) {
    await store.reserve(request);
    await naive.reserve(request.key);
  }
  for (const request of done) {
    await store.complete(request, completion);
    await naive.complete(request.key, answer);
  }
  const race = (requests: readonly ReserveRequest[]) => {
    let at = 0;
    const next = () => again(requests[at++ % requests.length]!);
    return {
      naive: atOnce(64, next, ({ key }) => naive.reserve(key)),
      kit: atOnce(64, next, (request) => store.reserve(request)),
      ...(pgbench ? { limit: pgbench.contestant('select', 64) } : {}),
    } as Record<'naive' | 'kit' | 'limit', Contestant>;
  };
  const replay = await interleave(race(done), options);
  const conflict = await interleave(race(held), options);
  const versusLimit = 'pg.replay.64.vs_pgbench_select';
  return {
    figures: {
      'pg.replay.64.vs_naive': timesAsMany(replay.kit, replay.naive),
      ...(pgbench ? { [versusLimit]: timesAsMany(replay.kit, replay.limit) } : {}),
      'pg.conflict.64.vs_naive': timesAsMany(conflict.kit, conflict.naive),
    },
    rates: [...ratesOf('pg.replay', 64, replay), ...ratesOf('pg.conflict', 64, conflict)],
    missing: pgbench ? {} : { [versusLimit]: 'pgbench is not on PATH' },
  };
}
