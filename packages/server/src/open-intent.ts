import type { Awaitable, NotReserved, ReserveRequest } from '@onceward/core/store';
import { IntentInParts } from './ambient/ambient-intent.ts';
import { missIntent } from './ambient/missed-intents.ts';
import { answerFor } from './answer-for.ts';
import type { AttemptContext } from './attempts/attempt-context.ts';
import { conclude, type Executed } from './attempts/conclude.ts';
import type { Ran } from './attempts/ran.ts';
import { called, isPromise } from './is-promise.ts';
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
  /** Answers when it is stored, with what this caller gets. */
  succeed(value: unknown): Awaitable<IntentResult>;
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
export function openIntent(intent: Intent, mutation: ResolvedMutation): Awaitable<Opening> {
  if (needsHandler(mutation)) return undefined;
  const { probe } = mutation.engine;
  const opening = askForIt(intent, mutation);
  if (!isPromise(opening)) return opening;
  const known = opening.catch((error: unknown) => refuse(error, mutation));
  return probe ? known.then((open) => probed(open, probe)) : known;
}

/** What comes of asking: the right to execute, an answer, or the need for a handler. */
export type Opening = OpenIntent | IntentResult | undefined;

function askForIt(intent: Intent, mutation: ResolvedMutation): Awaitable<Opening> {
  const { probe, storeIsVerified } = mutation.engine;
  return called(() => {
    const request = requestOf(intent, mutation);
    return isPromise(request) || probe || !storeIsVerified()
      ? openLater(request, mutation)
      : openRequest(request, mutation);
  });
}

/** The same, where something is waited for besides the store's answer: files, its check, a test. */
async function openLater(
  made: Awaitable<ReserveRequest | undefined>,
  mutation: ResolvedMutation,
): Promise<Opening> {
  const request = await made;
  if (request && !mutation.engine.storeIsVerified()) await assertStoreVerified(mutation.engine);
  return await openRequest(request, mutation);
}

function openRequest(
  request: ReserveRequest | undefined,
  mutation: ResolvedMutation,
): Awaitable<Opening> {
  if (!request) return undefined;
  const leased = openLeased(request, mutation);
  return isPromise(leased)
    ? leased.then((opened) => begin(opened, request, mutation))
    : begin(leased, request, mutation);
}

function begin(
  opened: LeasedAttempt | NotReserved,
  request: ReserveRequest,
  mutation: ResolvedMutation,
): Opening {
  return opened instanceof LeasedAttempt
    ? new OpenLease(opened)
    : knownAnswer(opened, request, mutation);
}

async function refuse(error: unknown, mutation: ResolvedMutation): Promise<never> {
  reportRefusal(error, mutation);
  throw error;
}

class OpenLease implements OpenIntent {
  readonly kind = 'open';
  readonly context: AttemptContext<Effect, unknown>;
  readonly #attempt: LeasedAttempt;
  readonly #isOver = missIntent();
  #current: IntentInParts | undefined;
  #ended: Awaitable<IntentResult> | undefined;

  constructor(attempt: LeasedAttempt) {
    this.#attempt = attempt;
    this.context = attempt.context();
  }

  within<T>(run: () => T): T {
    this.#current ??= new IntentInParts(this.#attempt.reservation.lease);
    return this.#current.run(run);
  }

  succeed(value: unknown): Awaitable<IntentResult> {
    const { aborted } = this.#attempt.keeper.stopSignal;
    return (this.#ended ??= this.#end({ kind: 'success', value, aborted }));
  }

  async fail(error: unknown): Promise<IntentResult> {
    const { aborted } = this.#attempt.keeper.stopSignal;
    return await (this.#ended ??= this.#end({ kind: 'failure', error, aborted }));
  }

  #end(executed: Executed): Awaitable<IntentResult> {
    const { mutation, keeper } = this.#attempt;
    try {
      keeper.stop();
      const ended = mutation.engine.probe
        ? this.#concludeProbed(executed, mutation.engine.probe)
        : conclude(this.#attempt, executed);
      if (!isPromise(ended)) return this.#answer(ended);
      return ended
        .then((known) => this.#answer(known))
        .catch((error: unknown) => this.#refuse(error));
    } catch (error) {
      return this.#refuse(error);
    }
  }

  async #concludeProbed(executed: Executed, probe: Probe): Promise<Ran | NotReserved> {
    await probe('after-execute');
    return await conclude(this.#attempt, executed);
  }

  #answer(ended: Ran | NotReserved): IntentResult {
    const { mutation, request } = this.#attempt;
    const result =
      ended.kind === 'ran' ? fresh(ended, mutation) : answerFor(ended, request, mutation);
    this.#isOver();
    return result;
  }

  /**
   * By a promise, also where nothing was waited for: thrown, it would not be kept in `#ended`, and
   * the attempt could be ended again.
   */
  async #refuse(error: unknown): Promise<never> {
    reportRefusal(error, this.#attempt.mutation);
    this.#isOver();
    throw error;
  }
}

/** A test may stop it here: then its handler has failed. */
async function probed(open: Opening, probe: Probe): Promise<Opening> {
  if (!(open instanceof OpenLease)) return open;
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
