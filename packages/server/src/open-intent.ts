import { following } from '@onceward/core';
import type { NotReserved, ReserveRequest } from '@onceward/core/store';
import { asCurrentIntent } from './ambient/ambient-intent.ts';
import { answerFor } from './answer-for.ts';
import type { HandlerContext } from './attempts/attempt-context.ts';
import { conclude, type Executed } from './attempts/conclude.ts';
import { LeasedAttempt, openLeased } from './attempts/leased-attempt.ts';
import { reportRefusal } from './hooks/report-refusals.ts';
import { checkIntent, type Intent } from './intent.ts';
import type { ResolvedMutation } from './options/mutation-options.ts';
import type { Probe } from './probe.ts';
import { requestFor } from './reserve-request.ts';
import { fresh, type IntentResult, mayBeKnownOtherwise, verifiedStore } from './run-intent.ts';

/**
 * Asks for the right to execute, for servers that execute between two hooks of theirs.
 *
 *   openIntent() ──▶ an OpenIntent   execute, then succeed() or fail()
 *               ├──▶ an IntentResult of an earlier attempt
 *               └──▶ undefined       nobody can tell without a handler: runIntent() does
 *
 * The same as `runIntent` with a handler that waits for the server, without the promises that
 * takes. Transactions, steps, quotas, limits, spans and waiting are around a handler, and need one.
 */
export async function openIntent(
  intent: Intent,
  mutation: ResolvedMutation,
): Promise<OpenIntent | IntentResult | undefined> {
  if (needsHandler(mutation)) return undefined;
  try {
    const name = checkIntent(intent, mutation);
    if (!name) return undefined;
    const made = requestFor(name, { intent, mutation });
    // Only files and large inputs are waited for.
    const request = made instanceof Promise ? await made : made;
    if (!mutation.engine.storeIsVerified()) await verifiedStore(mutation.engine);
    const opened = await openLeased(request, mutation);
    if (!(opened instanceof LeasedAttempt)) return knownAnswer(opened, request, mutation);
    const open = new OpenIntent(opened);
    return mutation.engine.probe ? await probed(open, mutation.engine.probe) : open;
  } catch (error) {
    reportRefusal(error, mutation);
    throw error;
  }
}

/** The right to execute one intent, until it is said what came of it. */
export class OpenIntent {
  /** What its handler gets. */
  readonly context: HandlerContext;
  readonly #attempt: LeasedAttempt;
  /** Should somebody ask for the current intent meanwhile, this one would be taken for none. */
  readonly #missing = following().asked ? undefined : following();
  #ended: Promise<IntentResult> | undefined;

  constructor(attempt: LeasedAttempt) {
    this.#attempt = attempt;
    this.context = attempt.context();
    if (this.#missing) this.#missing.missed += 1;
  }

  /** Runs as the current intent. */
  within<T>(run: () => T): T {
    return asCurrentIntent(this.#attempt.reservation.lease, run);
  }

  /** Resolves when it is stored, with what this caller gets. The first end counts. */
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
      if (this.#missing) this.#missing.missed -= 1;
    }
  }
}

/** A test may stop it here: then its handler has failed. */
async function probed(open: OpenIntent, probe: Probe): Promise<OpenIntent | IntentResult> {
  try {
    await probe('before-execute');
    return open;
  } catch (error) {
    return open.fail(error);
  }
}

/** Whether something of the engine is around its handler. */
function needsHandler({ effect, inProgress, engine }: ResolvedMutation): boolean {
  if (effect === 'atomic' || effect === 'steps' || inProgress.mode === 'wait') return true;
  const { quota, hooks } = engine;
  return quota !== undefined || hooks.admit !== undefined || hooks.trace !== undefined;
}

/** What the store knows; `undefined` where it may still have to be executed. */
function knownAnswer(
  answer: NotReserved,
  request: ReserveRequest,
  mutation: ResolvedMutation,
): IntentResult | undefined {
  const repeatable = answer.kind === 'expired' && mutation.engine.expired === 'execute';
  if (repeatable || mayBeKnownOtherwise(answer, request, mutation)) return undefined;
  return answerFor(answer, request, mutation);
}
