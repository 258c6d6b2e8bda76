import { IdempotencyError } from '@onceward/core';
import type { NotReserved, ReserveRequest } from '@onceward/core/store';
import { answerFor } from './answer-for.ts';
import type { Result } from './answers/answer-book.ts';
import { attemptAtomic } from './attempts/atomic-attempt.ts';
import type { Execute } from './attempts/attempt-context.ts';
import { callStore, verified } from './attempts/call-store.ts';
import { attemptLeased, type Ran } from './attempts/leased-attempt.ts';
import { attemptUnguarded } from './attempts/unguarded-attempt.ts';
import { refusing } from './hooks/refusing.ts';
import { type Intent, nameRecord } from './intent.ts';
import type { ResolvedMutation } from './options/mutation-options.ts';
import { newToken, requestFor } from './reserve-request.ts';
import { waitWhileInProgress } from './wait-while-in-progress.ts';

/** What became of an intent, whether just now or by an earlier attempt. */
export interface Settled<Value = unknown> {
  readonly result: Result<Value>;
  /** True when an earlier attempt made it and nothing was executed now. */
  readonly replayed: boolean;
  /** Until when the same key gets the same answer, in milliseconds since 1970. */
  readonly expiresAt: number;
}

/**
 * Executes an intent, or replays what an earlier attempt made of it.
 *
 * The order never changes: scope, key, fingerprint, quota, store, handler. Whatever refuses does
 * so before the next one is asked, and nothing of the handler has run before the store granted it.
 */
export function settleOnce(
  intent: Intent,
  execute: Execute,
  mutation: ResolvedMutation,
): Promise<Settled> {
  return refusing(mutation, async () => {
    const name = nameRecord(intent, mutation);
    if (!name) return unguarded(execute, mutation);
    const request = await requestFor(name, { intent, mutation });
    await verified(mutation.engine);
    return settleKeyed(request, { intent, execute, mutation });
  });
}

interface Call {
  readonly intent: Intent;
  readonly execute: Execute;
  readonly mutation: ResolvedMutation;
}

async function settleKeyed(request: ReserveRequest, call: Call): Promise<Settled> {
  const { execute, mutation } = call;
  const { engine } = mutation;
  const ticket = engine.quota?.enter(request.scope);
  if (ticket?.kind === 'refused') {
    // Only new intents count against a scope: what is known is answered all the same.
    const known = await callStore(engine, (store) => store.peek(request));
    if (known.kind !== 'free') return answerFor(known, request, mutation);
    const { retryAfterMs } = ticket;
    throw new IdempotencyError('IDEMPOTENCY_QUOTA_EXCEEDED', { retryAfterMs });
  }

  try {
    const answer = await attempt(request, call);
    if (answer.kind === 'ran') return fresh(answer.result, mutation);
    ticket?.refundNewKey();
    const repeatable = answer.kind === 'expired' && engine.expired === 'execute';
    return repeatable ? await unguarded(execute, mutation) : answerFor(answer, request, mutation);
  } finally {
    ticket?.leave();
  }
}

async function attempt(request: ReserveRequest, call: Call): Promise<Ran | NotReserved> {
  const { intent, execute, mutation } = call;
  const attemptOnce = mutation.effect === 'atomic' ? attemptAtomic : attemptLeased;
  const answer = await waitWhileInProgress(mutation, () =>
    attemptOnce({ ...request, token: newToken() }, execute, mutation),
  );
  if (answer.kind !== 'mismatch') return answer;

  // The record may stem from an older algorithm or secret: ask again in its own terms.
  const version = answer.fingerprintVersion;
  const known = mutation.engine.fingerprinter.versions.includes(version);
  if (version === request.fingerprint.version || !known) return answer;
  return attempt(await requestFor(request, { intent, mutation, version }), call);
}

async function unguarded(execute: Execute, mutation: ResolvedMutation): Promise<Settled> {
  return fresh(await attemptUnguarded(execute, mutation), mutation);
}

function fresh(result: Result, { engine, answerRetentionMs }: ResolvedMutation): Settled {
  return { result, replayed: false, expiresAt: engine.clock.now() + answerRetentionMs };
}
