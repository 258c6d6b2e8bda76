import type { Journal } from '../journal/journal.ts';
import {
  isLive,
  isSettled,
  type JournalRecord,
  type RecordState,
} from '../journal/journal-record.ts';
import type { Cancellation } from '../journal/submission.ts';

/** `idle` before anything was submitted, `queued` from the click on, then what the record says. */
export type MutationStatus = 'idle' | RecordState;

/** Where the intent of a hook stands. */
export interface MutationState<Result> {
  readonly status: MutationStatus;
  /** The answer is still to come. */
  readonly isPending: boolean;
  /** As it was last seen; there from when it is durable. */
  readonly record: JournalRecord | undefined;
  readonly result: Result | undefined;
  /** What the last `submit` was rejected with. With `succeeded`: it took effect, the answer is gone. */
  readonly error: unknown;
}

export const idle = { status: 'idle', isPending: false } as MutationState<never>;

/** What of a journal it takes to follow an intent. */
export type FollowedJournal = Pick<Journal, 'records' | 'subscribe' | 'cancel' | 'settlementOf'>;

/** Performs a mutation under the name of an intent: the journal joins those with the same. */
export type Perform<Input, Result> = (input: Input, intent: string) => Promise<Result>;

/** Follows one intent after the other, for one hook. */
export interface IntentFollower<Input, Result> {
  readonly journal: FollowedJournal;
  readonly intent: string | undefined;
  /** How to submit. It changes with every render; `submit` stays the same. */
  perform: Perform<Input, Result>;
  state(this: void): MutationState<Result>;
  subscribe(this: void, listener: () => void): () => void;
  submit(this: void, input: Input): Promise<Result>;
  cancel(this: void): Promise<Cancellation>;
}

/**
 * Follows what is submitted here, and what an earlier page has left under the same name. Does
 * nothing until somebody subscribes or submits.
 */
export function followIntents<Input, Result>(
  journal: FollowedJournal,
  named: string | undefined,
  perform: Perform<Input, Result>,
): IntentFollower<Input, Result> {
  const listeners = new Set<() => void>();
  let state: MutationState<Result> = idle;
  let current = next();

  function next(seen?: JournalRecord): Followed {
    // It need only differ from what else is live on this device, and React Native has no `crypto`.
    return { intent: named ?? `${Math.random()}`, waits: 0, seen };
  }

  /** The latest record of the intent: one that has settled may still be there. */
  function find(): JournalRecord | undefined {
    return journal
      .records()
      .filter((record) => record.intent === current.intent)
      .pop();
  }

  function show(shown: Partial<MutationState<Result>>): void {
    state = { ...idle, ...shown };
    for (const listener of listeners) listener();
  }

  function showPending(record: JournalRecord | undefined): void {
    show({ status: record?.state ?? 'queued', isPending: true, record });
  }

  function look(): void {
    const found = find();
    if (!found || found === current.seen) return;
    current.seen = found;
    if (!current.waits) void follow(journal.settlementOf(found.id) as Promise<Result>, found);
    // Its end is shown together with its outcome, which is a moment behind.
    else if (isLive(found)) showPending(found);
  }

  function follow(outcome: Promise<Result>, record: JournalRecord | undefined): Promise<Result> {
    const followed = current;
    followed.waits++;
    showPending(record);
    outcome.then(
      (result) => tell(followed, { status: 'succeeded', result }),
      (error: unknown) => tell(followed, { status: 'failed', error }),
    );
    return outcome;
  }

  function tell(followed: Followed, outcome: Partial<MutationState<Result>>): void {
    followed.waits--;
    // Who has joined has been told already.
    if (followed !== current) return;
    // A second click that was refused says nothing about the first.
    if (current.waits && outcome.error) return show({ ...state, error: outcome.error });
    const { seen } = current;
    // While nobody looked, it may have settled and gone.
    const record = find() ?? (seen && isSettled(seen) ? seen : undefined);
    // What has not settled keeps its name: under another, it would be sent again.
    if (record && !isSettled(record)) current.seen = record;
    else current = next(record);
    show({ ...outcome, ...(record && { status: record.state, record }) });
  }

  const follower: IntentFollower<Input, Result> = {
    journal,
    intent: named,
    perform,
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      const stop = journal.subscribe(look);
      look();
      return () => {
        listeners.delete(listener);
        stop();
      };
    },
    submit(input) {
      const { intent, seen } = current;
      return follow(follower.perform(input, intent), seen && isLive(seen) ? seen : undefined);
    },
    async cancel() {
      // A click can be faster than the disk.
      while (current.waits && !find()) await new Promise<void>((seen) => listeners.add(seen));
      return journal.cancel(find()?.id ?? '');
    },
  };
  return follower;
}

interface Followed {
  readonly intent: string;
  /** How many wait for its outcome. */
  waits: number;
  /** Its record, when it was last looked at. */
  seen: JournalRecord | undefined;
}
