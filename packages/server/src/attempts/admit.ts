import { IdempotencyError } from '@onceward/core';
import type { Admission } from '../hooks/engine-hooks.ts';
import { emit } from '../hooks/emit.ts';
import type { ResolvedMutation } from '../options/mutation-options.ts';

/** Asks the application's rate limit whether an attempt may execute. */
export async function admit(
  { scope }: { readonly scope: string },
  { engine, operation, effect }: ResolvedMutation,
): Promise<void> {
  if (!engine.hooks.admit) return;
  let admission: Admission;
  try {
    admission = await engine.hooks.admit({ scope, operation, effect });
  } catch (cause) {
    emit(engine, { kind: 'admission-failed', operation, effect, cause });
    const details = { retryAfterMs: engine.storeRetryAfterMs };
    const message = 'The rate limit could not be asked. Retry later with the same key.';
    throw new IdempotencyError('IDEMPOTENCY_STORE_UNAVAILABLE', details, { message, cause });
  }
  if (admission.kind === 'admit') return;
  const { retryAfterMs } = admission;
  throw new IdempotencyError('IDEMPOTENCY_QUOTA_EXCEEDED', { retryAfterMs });
}
