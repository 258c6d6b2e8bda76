import type { Claimed } from '../records.ts';
import { type Claim, claimMany, readClaims } from '../sql/claim.ts';
import { insertReservedStatement } from '../sql/insert-reserved.ts';
import { readSighting, seeOther } from '../sql/look-up.ts';
import type { Batchable } from './flight-plan.ts';

export const claims: Batchable<Claim, Claimed> = {
  /**
   * Two plain statements take PostgreSQL two thirds of what the one for many takes, which is longer
   * to start. The second sees also whom the first has lost a race to.
   */
  one: ({ address, request }) => ({
    statements: [insertReservedStatement(address, request), seeOther(address, request)],
    read([inserted = [], seen = []]) {
      if (inserted.length === 1) return ['inserted'];
      return [seen.length === 1 ? readSighting(seen) : undefined];
    },
  }),

  many: (table, items) => ({
    statements: [claimMany(table, items)],
    read: ([rows = []]) => readClaims(items, rows),
  }),
};
