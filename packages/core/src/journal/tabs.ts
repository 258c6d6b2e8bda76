import type { JournalRow } from './journal-store.ts';

/**
 * The port between the journals of several tabs, or processes, that share their rows.
 *
 * It saves work and keeps lanes in order. That a mutation takes effect once does not depend on it:
 * two tabs that both think they lead send the same key.
 */
export interface Tabs {
  /**
   * Asks to be the one that delivers the rows of a scope, and goes on asking. A leader that does not
   * react, such as a frozen tab, is replaced. Another scope has a leader of its own: a tab delivers
   * for one user, and must not keep the tabs of the others from it.
   *
   * The returned function resigns, or stops asking.
   */
  campaign(scope: string, events: CampaignEvents): () => void;
  /** Tells the others what has become of a row, in the order it did. */
  announce(change: RowChange): void;
  /** Calls back for what others announce; the returned function stops that. */
  listen(listener: (change: RowChange) => void): () => void;
}

/** What has become of a row. Plain data, because it goes from tab to tab. */
export interface RowChange {
  /**
   * No row has 0, when something may have changed that nobody has told, or -1, when the user has
   * signed in or there may be a network again.
   */
  readonly seq: number;
  /** Absent when it was removed. */
  readonly row?: JournalRow | undefined;
  /** With 0 and -1: whose. What one user does is no news for the tabs of another. */
  readonly scope?: string | undefined;
}

/** What a tab is told that wants to lead. */
export interface CampaignEvents {
  elected(): void;
  /** Somebody else leads now. Another campaign may follow. */
  deposed(): void;
}
