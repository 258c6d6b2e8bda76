import { IdempotencyError } from '@onceward/core';
import type { NotReserved, ReserveRequest } from '@onceward/core/store';
import { missIntent } from './ambient/missed-intents.ts';
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
  const isOver = missIntent();
  try {
    const made = requestOf(intent, mutation);
    const request = made instanceof Promise ? await made : made;
    if (!request) return await runUnguarded(scopeText(intent.scope), execute, mutation);
    return await runKeyed(request, { intent, execute, mutation });
  } catch (error) {
    reportRefusal(error, mutation);
    throw error;
  } finally {
    isOver();
  }
}

/**
 * What the store is asked for an intent; `undefined` for one that has no key and needs none. A promise
 * only if the input has files or is large.
 */
export function requestOf(
  intent: Intent,
  mutation: ResolvedMutation,
): ReserveRequest | Promise<ReserveRequest> | undefined {
  const name = checkIntent(intent, mutation);
  return name && requestFor(name, { intent, mutation });
}

/**
 * Whether anything of what follows is around a handler. Whatever is added around one belongs here,
 * too: `openIntent` has none, and would leave it out.
 */
export function needsHandler({ effect, inProgress, engine }: ResolvedMutation): boolean {
  if (effect === 'atomic' || effect === 'steps' || inProgress.mode === 'wait') return true;
  const { quota, hooks } = engine;
  return quota !== undefined || hooks.admit !== undefined || hooks.trace !== undefined;
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
  if (!engine.storeIsVerified()) await assertStoreVerified(engine);
  const first = await attempt(request, call);
  if (first.kind === 'ran') return fresh(first, mutation);
  const answer = first.kind === 'mismatch' ? await inItsTerms(first, request, call) : first;
  if (answer.kind === 'ran') return fresh(answer, mutation);
  return isRepeatable(answer, mutation)
    ? fresh(await attemptUnguarded(request.scope, execute, mutation), mutation)
    : answerFor(answer, request, mutation);
}

/** Whether an expired key may be executed all the same. */
export function isRepeatable({ kind }: NotReserved, { engine }: ResolvedMutation): boolean {
  return kind === 'expired' && engine.expired === 'execute';
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
  if (!hasOlderFingerprint(answer, request, mutation)) return answer;
  const version = answer.fingerprintVersion;
  return await attempt(await requestFor(request, { intent, mutation, version }), call);
}

/** Whether the record has a fingerprint of another version, which we can still make. */
export function hasOlderFingerprint(
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

export async function assertStoreVerified(engine: EngineRuntime): Promise<void> {
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
