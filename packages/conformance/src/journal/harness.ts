import type { JournalStore } from '@onceward/core/journal';

/** One empty journal store, opened for one test and closed after it. */
export interface JournalHarness extends AsyncDisposable {
  readonly store: JournalStore;
  /**
   * The same rows through other connections, for races that one connection would serialise.
   * Leave it out for a store that only one process can open.
   */
  readonly peers?: readonly JournalStore[];
  /**
   * The rows as a new process sees them after the old one was killed: `store` is not closed before.
   * Needed by every store whose durability is not `memory`.
   */
  reopen?(): Promise<JournalStore>;
  /**
   * Damages what is kept of the body of a row, as a bad disk would; `reopen` shows what is left.
   * Needed by every store whose durability is not `memory`.
   */
  corrupt?(seq: number): Promise<void>;
}

/** Opens a journal store of one test's own. */
export type OpenJournalHarness = () => Promise<JournalHarness>;
