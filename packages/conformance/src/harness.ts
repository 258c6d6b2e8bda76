import type { Store, TransactionalStore } from '@onceward/core/store';

/** Your test runner: `describe` and `test` of Vitest, Jest or `node:test`. */
export interface TestApi {
  describe: (name: string, body: () => void) => void;
  test: (name: string, body: () => Promise<void>) => void;
}

/** One empty store, opened for one test and closed after it. */
export interface StoreHarness extends AsyncDisposable {
  readonly store: Store;
  /**
   * The same records through other connections, for races that one connection would serialise.
   * Leave it out for a store that lives in one process.
   */
  readonly peers?: readonly Store[];
  /** Moves the store's clock, or waits, until `ms` have passed for it. */
  elapse(ms: number): Promise<void>;
  /** For a store with transactions: an effect to write, and a way to count it. */
  readonly effects?: EffectHarness;
}

/** Effects that a test writes through transactions of the store, and counts. */
export interface EffectHarness {
  /** The store under test again. The transaction's type is the driver's: only `write` knows it. */
  readonly store: TransactionalStore<unknown>;
  write(transaction: unknown, effect: string): Promise<void>;
  count(effect: string): Promise<number>;
  /** For concurrent transactions: the same records through a line that breaks at a COMMIT. */
  readonly losingCommits?: LosingCommits;
}

/** Two stores whose connection is lost when a transaction commits. */
export interface LosingCommits {
  /** The database gets the COMMIT, and its answer is lost. */
  readonly answer: TransactionalStore<unknown>;
  /** The COMMIT never reaches the database. */
  readonly request: TransactionalStore<unknown>;
}

/** Opens a store of one test's own. */
export type OpenHarness = () => Promise<StoreHarness>;
