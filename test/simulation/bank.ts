import type { History } from './history.ts';

/** What somebody wants, as it travels. */
export interface Wish {
  /** Names the intent, for whoever checks. The kit never looks at it. */
  readonly id: string;
  readonly cents: number;
}

/** What a mutation answers with. */
export interface Receipt {
  readonly id: string;
  /** Another one for every execution: two that both answer are found out. */
  readonly number: number;
  /** Whoever reads another tenant's answer sees this. */
  readonly canary: string;
}

export interface Effect extends Receipt {
  readonly tenant: string;
  readonly cents: number;
}

/** Where effects happen, and are counted: the only thing in a world that cannot be undone. */
export class Bank {
  readonly effects: Effect[] = [];
  readonly balances = new Map<string, number>();
  readonly #byWish = new Map<string, Effect[]>();
  /** What an outside service remembers under the keys that it was given. */
  readonly #byKey = new Map<string, Receipt>();
  readonly #history: History;
  #receipts = 0;

  constructor(history: History) {
    this.#history = history;
  }

  /** A receipt, for an effect that is yet to be booked: a transaction may be rolled back. */
  prepare(tenant: string, { id }: Wish): Receipt {
    return { id, number: ++this.#receipts, canary: canaryOf(tenant) };
  }

  /** Takes effect, whatever happened before. */
  book(tenant: string, { id, cents }: Wish, receipt: Receipt): void {
    const effect = { ...receipt, id, tenant, cents };
    this.effects.push(effect);
    this.balances.set(tenant, (this.balances.get(tenant) ?? 0) + cents);
    this.#byWish.set(id, [...(this.#byWish.get(id) ?? []), effect]);
    this.#history.note(`effect of ${id}: receipt ${receipt.number}`);
  }

  /** A service that can be asked about a key later, but does not heed it. */
  pay(tenant: string, wish: Wish, key: string): Receipt {
    const receipt = this.prepare(tenant, wish);
    this.book(tenant, wish, receipt);
    this.#byKey.set(`${tenant} ${key}`, receipt);
    return receipt;
  }

  /** A service that honours keys. */
  payOnce(tenant: string, wish: Wish, key: string): Receipt {
    return this.find(tenant, key) ?? this.pay(tenant, wish, key);
  }

  find(tenant: string, key: string): Receipt | undefined {
    return this.#byKey.get(`${tenant} ${key}`);
  }

  effectsOf(id: string): readonly Effect[] {
    return this.#byWish.get(id) ?? [];
  }
}

export function canaryOf(tenant: string): string {
  return `canary-of-${tenant}`;
}
