import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Journal } from '../journal/journal.ts';
import type { Cancellation, Submission } from '../journal/submission.ts';
import { type FollowedJournal, idle, followIntents, type MutationState } from './follow-intents.ts';

/** What the hook hands to a call, for the link with the journal: pass it on as it is. */
export interface JournaledCallOptions {
  context: { journal: Pick<Submission, 'intent' | 'lane' | 'after' | 'meta'> };
}

/** A call through a link with a journal. */
export type JournaledCall<Input, Result> = (
  input: Input,
  options: JournaledCallOptions,
) => Promise<Result>;

/** What `journal.submit` is given, for channels of your own. */
export type JournaledOperation = Pick<Submission, 'channel' | 'operation'>;

/** How the journal is to treat what a hook submits. */
export interface JournaledMutationOptions {
  /**
   * Names what the person wants, such as `pay ${order.id}`: whoever shows the same intent, in
   * another component, another tab or after a reload, finds it as long as it has not settled.
   *
   * @defaultValue a new name for each intent, which the next page does not know
   */
  intent?: string | undefined;
  /** Records of one lane are sent one after the other, in order. @defaultValue none */
  lane?: string | undefined;
  /** The ids of records that must have succeeded before. */
  after?: readonly string[] | undefined;
  /** What is to be found again in the record, for a list of what is pending. JSON. */
  meta?: unknown;
}

/** Where an intent stands, and what can be done about it. The functions stay the same. */
export interface JournaledMutation<Input, Result> extends MutationState<Result> {
  /**
   * Submits an intent, or joins it while it has not settled. Rejects as the mutation does; who does
   * not look at the promise finds the same in `error`.
   */
  submit(this: void, input: Input): Promise<Result>;
  /** Calls it off. What a server has begun cannot be called back. */
  cancel(this: void): Promise<Cancellation>;
}

/**
 * Submits mutations to a journal, and shows where the last one stands.
 *
 * @example
 * ```tsx
 * const payment = useJournaledMutation(
 *   journal,
 *   (input: Payment, options) => client.pay.mutate(input, options),
 *   { intent: `pay ${order.id}` },
 * );
 * <button onClick={() => void payment.submit({ cents: 1200 })}>Pay</button>
 * ```
 */
export function useJournaledMutation<Input, Result = unknown>(
  journal: FollowedJournal & Pick<Journal, 'submit'>,
  mutation: JournaledCall<Input, Result> | JournaledOperation,
  options: JournaledMutationOptions = {},
): JournaledMutation<Input, Result> {
  const { intent } = options;
  const [kept, keep] = useState(() => followIntents(journal, intent, perform));
  let follower = kept;
  if (kept.journal !== journal || kept.intent !== intent) {
    keep((follower = followIntents(journal, intent, perform)));
  }
  useEffect(() => void (follower.perform = perform));
  const { submit, cancel, subscribe, state } = follower;
  return { ...useSyncExternalStore(subscribe, state, () => idle), submit, cancel };

  async function perform(input: Input, name: string): Promise<Result> {
    const entry = { ...options, intent: name };
    if (typeof mutation === 'function') return mutation(input, { context: { journal: entry } });
    const { settled } = await journal.submit({ ...entry, ...mutation, input });
    return settled as Promise<Result>;
  }
}
