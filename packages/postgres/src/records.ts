import type { ReserveRequest } from '@onceward/core/store';
import type { Queryable } from './database/database.ts';
import type { Sighting } from './judge.ts';
import type { RecordAddress } from './record-address.ts';
import { complete, type Completing } from './sql/complete.ts';
import { insertReserved } from './sql/insert-reserved.ts';
import { lookUp } from './sql/look-up.ts';

/** How statements about single records are sent: one by one, or in batches. */
export interface Records extends Queryable {
  /** Grants the first lease of a record, or says what was found instead. */
  claim(address: RecordAddress, request: ReserveRequest): Promise<Claimed>;
  complete(address: RecordAddress, completing: Completing): Promise<'completed' | 'lease-lost'>;
}

export type Claimed = 'inserted' | Sighting;

/** Each statement is sent when it comes, and commits by itself. */
export function oneByOne(database: Queryable): Records {
  return {
    query: (text, values) => database.query(text, values),
    /**
     * Two statements where one `with … insert … union all select …` looks tidier: that one returns
     * nothing at all when a concurrent insert commits after its snapshot was taken.
     */
    async claim(address, request) {
      const inserted = await insertReserved(database, address, request);
      return inserted === 'inserted' ? inserted : lookUp(database, address, request);
    },
    complete: (address, completing) => complete(database, address, completing),
  };
}
