import type { Tabs } from './tabs.ts';

/**
 * The port between a journal and whatever a device keeps things in: one row per intent.
 *
 * A store sees an envelope. What is in the body, and whether it is encrypted, is the journal's.
 *
 * An implementation must guarantee, and `@onceward/conformance` checks, that:
 *
 *  1. what `insert`, `update` or `remove` has resolved for is still so after the process was killed
 *     (`durability: 'process'`) or the power failed (`'strict'`); what they reject for has not
 *     happened;
 *  2. `seq` grows with every row, and is never given twice, not even after its row was removed, nor,
 *     where it can happen, after somebody has emptied what the rows are kept in while a journal
 *     was open: the first number may be the time;
 *  3. of any number of concurrent `insert` calls with one `intent` in one scope, one is `inserted`,
 *     and the others are `joined` to its row, until that row gives up its intent or is removed;
 *  4. `update` and `remove` change nothing unless `rev` is the row's current one: of two tabs that
 *     read the same row, one wins and the other is told;
 *  5. rows of two scopes never meet;
 *  6. a body comes back as it was given, character by character, also when it is empty, large, or
 *     not valid Unicode;
 *  7. a row that cannot be read is an error of that row alone: `list` returns the others, and the
 *     broken one with whatever is left of it as its body.
 *
 * Methods reject only when the store itself is unwell. Expected answers are values.
 */
export interface JournalStore {
  /** For messages and events: `indexeddb`, `memory`. */
  readonly name: string;
  readonly durability: JournalDurability;
  /** Other tabs or processes that use the same rows; absent where there can be none. */
  readonly tabs?: Tabs | undefined;

  insert(draft: JournalDraft): Promise<JournalInsertion>;
  /** Replaces intent and body of the row that has this `seq` and this `rev`. */
  update(row: JournalRow): Promise<JournalUpdate>;
  remove(row: Pick<JournalRow, 'seq' | 'rev'>): Promise<'removed' | 'stale'>;
  get(seq: number): Promise<JournalRow | undefined>;
  /** The rows of one scope, oldest first. */
  list(scope: string): Promise<JournalRow[]>;
  /** How many rows all other scopes have: what somebody else left on this device. */
  countOthers(scope: string): Promise<number>;
  close(): Promise<void>;
}

/** What a row that was written survives. */
export type JournalDurability =
  /** The end of the process and of the power. */
  | 'strict'
  /** The end of the process. */
  | 'process'
  /** Nothing. */
  | 'memory';

/** A row before the store has given it its place. */
export interface JournalDraft {
  /** Whose intent it is. */
  readonly scope: string;
  /** What makes two submissions one, while the row has it; `null` for none. */
  readonly intent: string | null;
  readonly body: string;
}

/** One intent, as a store keeps it. */
export interface JournalRow extends JournalDraft {
  /** Where it stands in the order of submission. */
  readonly seq: number;
  /** 1 when it is inserted, and one more with every update. */
  readonly rev: number;
}

/** What inserting came to. */
export interface JournalInsertion {
  /** `joined`: there was a row with this intent already. */
  readonly kind: 'inserted' | 'joined';
  readonly row: JournalRow;
}

/** What updating came to. */
export type JournalUpdate =
  | { readonly kind: 'updated'; readonly row: JournalRow }
  /** Somebody else was faster. What the row is now; `undefined` when it is gone. */
  | { readonly kind: 'stale'; readonly row: JournalRow | undefined };
