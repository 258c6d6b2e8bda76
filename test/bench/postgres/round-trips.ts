import { again } from '@onceward/conformance/requests';
import { postgresStore } from '@onceward/postgres';
import { atOnce } from '../at-once.ts';
import type { Findings } from '../findings.ts';
import { spreadOf } from '../spread.ts';
import { countTrips } from './count-trips.ts';
import { newIntent, reserveAndComplete } from './intents.ts';
import type { MeasuredServer } from './measured-server.ts';

export async function countRoundTrips({ pool }: MeasuredServer): Promise<Findings> {
  const store = postgresStore(pool);
  const fresh = (concurrency: number, count: number) =>
    countTrips(pool, () =>
      atOnce(concurrency, newIntent, (request) => reserveAndComplete(store, request))(count),
    );
  // Statements are parsed once per connection, and the layout is read once.
  await fresh(64, 2_000);
  const known = newIntent();
  await reserveAndComplete(store, known);
  return {
    figures: {
      'pg.fresh.64.round_trips_per_mutation': spreadOf([(await fresh(64, 5_000)) / 5_000]),
      'pg.fresh.1.round_trips_per_mutation': spreadOf([(await fresh(1, 200)) / 200]),
      'pg.replay.1.round_trips_per_mutation': spreadOf([
        await countTrips(pool, () => store.reserve(again(known))),
      ]),
    },
  };
}
