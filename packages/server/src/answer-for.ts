import { IdempotencyError } from '@onceward/core';
import type { NotReserved, RecordName } from '@onceward/core/store';
import { emit } from './hooks/emit.ts';
import { scopeLabelOf } from './hooks/scope-label.ts';
import type { ResolvedMutation } from './options/mutation-options.ts';
import type { IntentResult } from './run-intent.ts';

/** Turns what the store said instead of "go ahead" into a replay or a refusal. */
export function answerFor(
  answer: NotReserved,
  { scope, key }: RecordName,
  mutation: ResolvedMutation,
): IntentResult {
  const { engine, operation, inProgress, keyRetentionMs } = mutation;
  switch (answer.kind) {
    case 'completed':
      return replay(answer, { scope, key }, mutation);
    case 'in-progress': {
      const retryAfterMs = Math.max(1, Math.min(answer.retryAfterMs, inProgress.retryAfterMs));
      const status = inProgress.mode === 'accepted' ? { httpStatus: 202 } : {};
      throw new IdempotencyError('IDEMPOTENCY_IN_PROGRESS', { retryAfterMs }, status);
    }
    case 'mismatch': {
      const status = engine.profile === 'stripe' ? { httpStatus: 400 } : {};
      throw new IdempotencyError('IDEMPOTENCY_KEY_REUSED', { operation }, status);
    }
    case 'unknown': {
      const retryAfterMs = engine.unknownRetryAfterMs;
      throw new IdempotencyError('IDEMPOTENCY_OUTCOME_UNKNOWN', { retryAfterMs });
    }
    case 'expired':
      throw new IdempotencyError('IDEMPOTENCY_KEY_EXPIRED', { keyRetentionMs });
  }
}

function replay(
  { outcome, answerExpiresAt }: Extract<NotReserved, { kind: 'completed' }>,
  { scope, key }: Pick<RecordName, 'scope' | 'key'>,
  { engine, answers, operation, effect }: ResolvedMutation,
): IntentResult {
  const result = answers.read(outcome, { scope, key, operation });
  if (result.kind === 'unavailable') {
    const { reason } = result;
    emit(engine, { kind: 'answer-unavailable', operation, effect, reason });
    throw new IdempotencyError('IDEMPOTENCY_RESPONSE_UNAVAILABLE', { reason });
  }
  const scoped = scopeLabelOf(engine, scope);
  emit(engine, { kind: 'outcome-replayed', operation, effect, ...scoped });
  return { result, replayed: true, answerExpiresAt };
}
