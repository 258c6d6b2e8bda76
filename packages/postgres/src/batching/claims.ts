import type { Claimed } from '../records.ts';
import { type Claim, claimMany, claimOne, readClaims } from '../sql/claim.ts';
import type { Batchable } from './flight-plan.ts';

export const claims: Batchable<Claim, Claimed> = {
  one: (claim) => ({
    statements: [claimOne(claim)],
    read: ([rows = []]) => readClaims([claim], rows),
  }),

  many: (table, items) => ({
    statements: [claimMany(table, items)],
    read: ([rows = []]) => readClaims(items, rows),
  }),
};
