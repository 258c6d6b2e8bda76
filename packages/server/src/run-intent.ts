import { following, IdempotencyError } from '@onceward/core';
import type { NotReserved, ReserveRequest } from '@onceward/core/store';
import { answerFor } from './answer-for.ts';
import type { HandlerResult } from './answers/answer-format.ts';
import { admit } from './attempts/admit.ts';
import { attemptAtomic } from './attempts/atomic-attempt.ts';
import type { Execute } from './attempts/attempt-context.ts';
import { storeUnavailable } from './attempts/call-store.ts';
import { attemptLeased } from './attempts/leased-attempt.ts';
import { peek } from './attempts/peek.ts';
import type { Ran } from './attempts/ran.ts';
import { attemptUnguarded } from './attempts/unguarded-attempt.ts';
import type { EngineRuntime } from './engine-runtime.ts';
import { reportRefusal } from './hooks/report-refusals.ts';
import { checkIntent, type Intent, scopeText } from './intent.ts';
import { newToken } from './new-token.ts';
import type { ResolvedMutation } from './options/mutation-options.ts';
import { withinQuota } from './quota/within-quota.ts';
import { requestFor } from './reserve-request.ts';
import { waitWhileInProgress } from './wait-while-in-progress.ts';

/** What became of an intent, whether just now or by an earlier attempt. */
export interface IntentResult<Value = unknown> {
  readonly result: HandlerResult<Value>;
  /** True when an earlier attempt made it and nothing was executed now. */
  readonly replayed: boolean;
  /** Until when the same key gets the same answer; absent when it cannot be given again. */
  readonly answerExpiresAt?: number;
}

/**
 * Executes an intent, or replays what an earlier attempt made of it.
 *
 * The order never changes: scope, key, fingerprint, quota, store, handler. Whatever refuses does
 * so before the next one is asked, and nothing of the handler has run before the store granted it.
 */
export async function runIntent(
  intent: Intent,
  execute: Execute,
  mutation: ResolvedMutation,
): Promise<IntentResult> {
  // Should somebody ask for the current intent meanwhile, this one would be taken for none.
  const missing = following().asked ? undefined : following();
  if (missing) missing.missed += 1;
  try {
    const name = checkIntent(intent, mutation);
    if (!name) return await runUnguarded(scopeText(intent.scope), execute, mutation);
    const made = requestFor(name, { intent, mutation });
    // Only files and large inputs are waited for.
    const request = made instanceof Promise ? await made : made;
    return await runKeyed(request, { intent, execute, mutation });
  } catch (error) {
    reportRefusal(error, mutation);
    throw error;
  } finally {
    if (missing) missing.missed -= 1;
  }
}

interface Call {
  readonly intent: Intent;
  readonly execute: Execute;
  readonly mutation: ResolvedMutation;
}

function runKeyed(request: ReserveRequest, call: Call): Promise<IntentResult> {
  const { mutation } = call;
  const { engine } = mutation;
  if (!engine.quota) return runReserved(request, call);
  return withinQuota(request.scope, engine.quota, {
    run(countAttempt) {
      const execute: Execute = (context) => {
        countAttempt(context.attempt);
        return call.execute(context);
      };
      return runReserved(request, { ...call, execute });
    },
    async refused(retryAfterMs) {
      // Only new intents count against a scope: what is known is answered all the same.
      const seen = await peek(request, engine);
      if (seen) return answerFor(seen, request, mutation);
      throw new IdempotencyError('IDEMPOTENCY_QUOTA_EXCEEDED', { retryAfterMs });
    },
  });
}

/** Within its quota, or without one. */
async function runReserved(request: ReserveRequest, call: Call): Promise<IntentResult> {
  const { execute, mutation } = call;
  const { engine } = mutation;
  if (!engine.storeIsVerified()) await verifiedStore(engine);
  const first = await attempt(request, call);
  if (first.kind === 'ran') return fresh(first, mutation);
  const answer = first.kind === 'mismatch' ? await inItsTerms(first, request, call) : first;
  if (answer.kind === 'ran') return fresh(answer, mutation);
  const repeatable = answer.kind === 'expired' && engine.expired === 'execute';
  return repeatable
    ? fresh(await attemptUnguarded(request.scope, execute, mutation), mutation)
    : answerFor(answer, request, mutation);
}

async function runUnguarded(
  scope: string,
  execute: Execute,
  mutation: ResolvedMutation,
): Promise<IntentResult> {
  const run = async () => fresh(await attemptUnguarded(scope, execute, mutation), mutation);
  const { quota } = mutation.engine;
  if (!quota) return run();
  return withinQuota(scope, quota, {
    run(countAttempt) {
      countAttempt(1);
      return run();
    },
    refused(retryAfterMs) {
      throw new IdempotencyError('IDEMPOTENCY_QUOTA_EXCEEDED', { retryAfterMs });
    },
  });
}

function attempt(request: ReserveRequest, call: Call): Promise<Ran | NotReserved> {
  const { mutation } = call;
  // Who has no limit to ask does not wait for it.
  const ask = mutation.engine.hooks.admit ? attemptAdmitted : attemptOnce;
  if (mutation.inProgress.mode !== 'wait') return ask(request, call);
  // Each attempt has a token of its own.
  return waitWhileInProgress(mutation, () => ask({ ...request, token: newToken() }, call));
}

/** The record may stem from an older algorithm or secret: asks again in its own terms. */
async function inItsTerms(
  answer: Extract<NotReserved, { kind: 'mismatch' }>,
  request: ReserveRequest,
  call: Call,
): Promise<Ran | NotReserved> {
  const { intent, mutation } = call;
  if (!mayBeKnownOtherwise(answer, request, mutation)) return answer;
  const version = answer.fingerprintVersion;
  return await attempt(await requestFor(request, { intent, mutation, version }), call);
}

/** Whether an input may turn out to be the record's, with the fingerprint that the record has. */
export function mayBeKnownOtherwise(
  answer: NotReserved,
  request: ReserveRequest,
  { engine }: ResolvedMutation,
): boolean {
  if (answer.kind !== 'mismatch' || answer.fingerprintVersion === request.fingerprint.version) {
    return false;
  }
  return engine.fingerprinter.versions.includes(answer.fingerprintVersion);
}

async function attemptAdmitted(request: ReserveRequest, call: Call): Promise<Ran | NotReserved> {
  return (await askAdmission(request, call.mutation)) ?? attemptOnce(request, call);
}

function attemptOnce(
  request: ReserveRequest,
  { execute, mutation }: Call,
): Promise<Ran | NotReserved> {
  return mutation.effect === 'atomic'
    ? attemptAtomic(request, execute, mutation)
    : attemptLeased(request, execute, mutation);
}

/** Replays are free: the rate limit is asked only about what nobody knows yet. */
async function askAdmission(
  request: ReserveRequest,
  mutation: ResolvedMutation,
): Promise<NotReserved | undefined> {
  const { engine } = mutation;
  const seen = await peek(request, engine);
  if (!seen) await admit(request, mutation);
  return seen;
}

export async function verifiedStore(engine: EngineRuntime): Promise<void> {
  try {
    await engine.verifyStore();
  } catch (cause) {
    throw storeUnavailable(engine, cause);
  }
}

export function fresh(
  { result, replayable }: Ran,
  { engine, answerRetentionMs }: ResolvedMutation,
): IntentResult {
  if (!replayable) return { result, replayed: false };
  return { result, replayed: false, answerExpiresAt: engine.clock.now() + answerRetentionMs };
}
