import type { Clock } from '@onceward/core';
import type { Send } from '../attempt.ts';
import type { oneAtATime } from '../one-at-a-time.ts';
import type { RetryBudget } from '../retry/budget.ts';
import type { Channel } from './channel.ts';
import type { ResolvedJournalOptions } from './journal-options.ts';
import type { JournalRecord } from './journal-record.ts';
import type { Records } from './records.ts';
import type { ServerTime } from './server-time.ts';
import type { SettledHandler, SettledIntent } from './settled-intent.ts';
import type { SignIn } from './sign-in.ts';

/** A journal as one page has it open: what its parts share. */
export interface OpenJournal {
  readonly options: ResolvedJournalOptions;
  /** For waits: never set back. That of the options is for what is written down. */
  readonly clock: Clock;
  readonly records: Records;
  readonly serverTime: ServerTime;
  readonly signIn: SignIn;
  readonly budget: RetryBudget;

  /** By name: how records are sent. */
  readonly channels: Map<string, Channel>;
  /** By the id of a record: how its caller, who is still on this page, sends it. */
  readonly senders: Map<string, Send<unknown>>;
  /** By `seq`: the attempts that are under way. */
  readonly running: Map<number, Run>;
  /** When a record is due. One that has changed is another record, so nothing here is out of date. */
  readonly dueAt: WeakMap<JournalRecord, number>;

  /** Who is told of what ends, also of what an earlier page has left. */
  readonly handlers: Set<{ readonly operation: string; readonly handler: SettledHandler }>;
  /** By `seq`: who on this page waits for the end of a record. */
  readonly waiters: Map<number, ((end: SettledIntent) => void)[]>;
  /** By `seq`: what is being handed over. */
  readonly concluding: Set<number>;
  /** By the ids of the last that have ended: whether they succeeded. */
  readonly ends: Map<string, boolean>;
  /** Who is told that records have changed. */
  readonly listeners: Set<() => void>;

  /** One submission after the other: only then is their order that of the calls. */
  readonly inTurn: ReturnType<typeof oneAtATime>;
  paused: boolean;
  closed: boolean;
  /** Whether this page is the one that delivers. */
  leading: boolean;
  /** Ends the lead, or the wish for it. */
  resign: (() => void) | undefined;

  /** Resolves when everything that is in the store is known. */
  opened(this: void): Promise<void>;
  /** Looks for something to send, once everything that is happening now has happened. */
  stir(this: void): void;
  /** As `stir`, and for something to hand over. */
  lookAround(this: void): void;
  /** As `stir`, when the user has signed in, or there may be a network again. */
  goOn(this: void): void;
  /** The store has kept something from happening that nobody else starts again. */
  unwell(this: void, error: unknown): void;
  /** Stops everything, for good. */
  stop(this: void): void;
}

/** An attempt of this page. */
export interface Run {
  readonly channel: Channel;
  /** Stops it, where the engine can. */
  readonly controller: AbortController | undefined;
  /** How it ended, as it came, while that is written down. Texts are for everybody else. */
  end?: SettledIntent;
}
