import type { RecordAddress } from '../record-address.ts';
import { completeMany, completeStatement, type Completing } from '../sql/complete.ts';
import { whoseLease } from '../sql/whose-lease.ts';
import type { Batchable } from './flight-plan.ts';

export interface CompletionItem {
  readonly address: RecordAddress;
  readonly completing: Completing;
}

/** Has no answer for a lease that it did not find: why not is another question. */
export const completions: Batchable<CompletionItem, 'completed'> = {
  one: ({ address, completing }) => ({
    statements: [completeStatement(address, completing)],
    read: ([stored = []]) => [stored.length === 1 ? 'completed' : undefined],
  }),

  many: (table, items) => ({
    statements: [completeMany(table, items)],
    read([stored = []]) {
      const done = whoseLease.readAll(stored);
      return items.map(({ address, completing }) =>
        done.has(whoseLease.of(address, completing.lease.token)) ? 'completed' : undefined,
      );
    },
  }),
};
