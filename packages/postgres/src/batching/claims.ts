import type { Claimed } from '../records.ts';
import { type Claim, claimMany, readClaims } from '../sql/claim.ts';
import { insertReservedStatement } from '../sql/insert-reserved.ts';
import { readSighting, seeOther } from '../sql/look-up.ts';
import type { TableAddress } from '../record-address.ts';
import type { Batchable, FlightPlan } from './flight-plan.ts';

/** `large` for what is to be asked for alone. */
export const claims = {
  /**
   * Two plain statements take PostgreSQL two thirds of what the one for many takes, which is longer
   * to start. The second sees also whom the first has lost a race to.
   */
  one: ({ address, request }: Claim): FlightPlan<Claimed> => ({
    statements: [insertReservedStatement(address, request), seeOther(address, request)],
    read([inserted = [], seen = []]) {
      if (inserted.length === 1) return ['inserted'];
      return [seen.length === 1 ? readSighting(seen) : undefined];
    },
  }),

  many: (table: TableAddress, items: readonly Claim[]): FlightPlan<Claimed | 'large'> => ({
    statements: [claimMany(table, items)],
    read: ([rows = []]) => readClaims(items, rows),
  }),
} satisfies Batchable<Claim, Claimed | 'large'>;
