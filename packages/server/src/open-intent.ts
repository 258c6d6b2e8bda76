import type { NotReserved, ReserveRequest } from '@onceward/core/store';
import { IntentInParts } from './ambient/ambient-intent.ts';
import { missIntent } from './ambient/missed-intents.ts';
import { answerFor } from './answer-for.ts';
import type { AttemptContext } from './attempts/attempt-context.ts';
import { conclude, type Executed } from './attempts/conclude.ts';
import { LeasedAttempt, openLeased } from './attempts/leased-attempt.ts';
import type { Effect } from './effect.ts';
import { reportRefusal } from './hooks/report-refusals.ts';
import type { Intent } from './intent.ts';
import type { ResolvedMutation } from './options/mutation-options.ts';
import type { Probe } from './probe.ts';
import {
  assertStoreVerified,
  fresh,
  hasOlderFingerprint,
  type IntentResult,
  isRepeatable,
  needsHandler,
  requestOf,
} from './run-intent.ts';

/** An intent that may be executed now. Say what came of it: the first end counts. */
export interface OpenIntent {
  readonly kind: 'open';
  /** What a handler would get. */
  readonly context: AttemptContext<Effect, unknown>;
  /** Runs a part of it as the current intent. */
  within<T>(run: () => T): T;
  /** Resolves when it is stored, with what this caller gets. */
  succeed(value: unknown): Promise<IntentResult>;
  /** As `succeed`. Rejects with the error unless it is stored, or with a refusal if it is in doubt. */
  fail(error: unknown): Promise<IntentResult>;
}

/**
 * Asks for the right to execute, for servers that execute between two hooks of theirs.
 *
 *   openIntent() ──▶ an OpenIntent   execute, then succeed() or fail()
 *               ├──▶ an IntentResult of an earlier attempt
 *               └──▶ undefined       nobody can tell without a handler: runIntent() does
 *
 * The same as `runIntent` with a handler that waits for the server, without the promises that this
 * takes.
 */
export async function openIntent(
  intent: Intent,
  mutation: ResolvedMutation,
): Promise<OpenIntent | IntentResult | undefined> {
  if (needsHandler(mutation)) return undefined;
  let open: OpenLease;
  try {
    const made = requestOf(intent, mutation);
    const request = made instanceof Promise ? await made : made;
    if (!request) return undefined;
    if (!mutation.engine.storeIsVerified()) await assertStoreVerified(mutation.engine);
    const opened = await openLeased(request, mutation);
    if (!(opened instanceof LeasedAttempt)) return knownAnswer(opened, request, mutation);
    open = new OpenLease(opened);
  } catch (error) {
    reportRefusal(error, mutation);
    throw error;
  }
  const { probe } = mutation.engine;
  return probe ? await probed(open, probe) : open;
}

class OpenLease implements OpenIntent {
  readonly kind = 'open';
  readonly context: AttemptContext<Effect, unknown>;
  readonly #attempt: LeasedAttempt;
  readonly #isOver = missIntent();
  #current: IntentInParts | undefined;
  #ended: Promise<IntentResult> | undefined;

  constructor(attempt: LeasedAttempt) {
    this.#attempt = attempt;
    this.context = attempt.context();
  }

  within<T>(run: () => T): T {
    this.#current ??= new IntentInParts(this.#attempt.reservation.lease);
    return this.#current.run(run);
  }

  succeed(value: unknown): Promise<IntentResult> {
    const { aborted } = this.#attempt.keeper.stopSignal;
    return (this.#ended ??= this.#end({ kind: 'success', value, aborted }));
  }

  fail(error: unknown): Promise<IntentResult> {
    const { aborted } = this.#attempt.keeper.stopSignal;
    return (this.#ended ??= this.#end({ kind: 'failure', error, aborted }));
  }

  async #end(executed: Executed): Promise<IntentResult> {
    const { mutation, keeper, request } = this.#attempt;
    try {
      keeper.stop();
      if (mutation.engine.probe) await mutation.engine.probe('after-execute');
      const ended = await conclude(this.#attempt, executed);
      return ended.kind === 'ran' ? fresh(ended, mutation) : answerFor(ended, request, mutation);
    } catch (error) {
      reportRefusal(error, mutation);
      throw error;
    } finally {
      this.#isOver();
    }
  }
}

/** A test may stop it here: then its handler has failed. */
async function probed(open: OpenIntent, probe: Probe): Promise<OpenIntent | IntentResult> {
  try {
    await probe('before-execute');
    return open;
  } catch (error) {
    return await open.fail(error);
  }
}

/** What the store knows; `undefined` where it may still have to be executed. */
function knownAnswer(
  answer: NotReserved,
  request: ReserveRequest,
  mutation: ResolvedMutation,
): IntentResult | undefined {
  const undecided =
    isRepeatable(answer, mutation) || hasOlderFingerprint(answer, request, mutation);
  return undecided ? undefined : answerFor(answer, request, mutation);
}
