import type { Effect, Receipt } from './bank.ts';

/** A world in which one thing happens after the other, and each thing once. */
export interface SequentialWorld {
  /** By the id of a wish: what everybody who asks is answered with. */
  readonly receipts: ReadonlyMap<string, Receipt>;
  /** By tenant. */
  readonly balances: ReadonlyMap<string, number>;
}

/** Lets everything that took effect happen again, by itself, in the same order. */
export function sequentialOracle(effects: readonly Effect[]): SequentialWorld {
  const receipts = new Map<string, Receipt>();
  const balances = new Map<string, number>();
  for (const { id, number, canary, tenant, cents } of effects) {
    if (receipts.has(id)) continue;
    receipts.set(id, { id, number, canary });
    balances.set(tenant, (balances.get(tenant) ?? 0) + cents);
  }
  return { receipts, balances };
}
