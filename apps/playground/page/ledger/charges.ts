import type { LedgerLine } from '../../src/watch/watch.ts';
import type { Order } from '../shop/order.ts';
import { wishes } from '../shop/wishes.ts';

export interface Charges {
  readonly count: number;
  readonly words: string;
  /** `harmless`: it happened twice, and its effect says that this does not matter. */
  readonly verdict: 'none' | 'once' | 'harmless' | 'twice';
}

/** How often an order took effect, by the lines that it has in the ledger. */
export function chargesOf({ id, wish }: Order, ledger: readonly LedgerLine[]): Charges {
  const count = ledger.filter(({ key }) => key === id).length;
  const { counted, effect } = wishes[wish];
  const words = `${count} ${counted[count === 1 ? 0 : 1]}`;
  if (count < 2) return { count, words, verdict: count === 0 ? 'none' : 'once' };
  return { count, words, verdict: effect === 'natural' ? 'harmless' : 'twice' };
}
