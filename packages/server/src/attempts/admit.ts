import { IdempotencyError } from '@onceward/core';
import type { ReserveRequest } from '@onceward/core/store';
import type { ResolvedMutation } from '../options/mutation-options.ts';
import { storeUnavailable } from './call-store.ts';

/** Asks the application's rate limit whether this attempt may execute. */
export async function admit(
  { scope, operation }: ReserveRequest,
  { engine, effect }: ResolvedMutation,
): Promise<void> {
  if (!engine.hooks.admit) return;
  let admission;
  try {
    admission = await engine.hooks.admit({ scope, operation, effect });
  } catch (cause) {
    throw storeUnavailable(engine, cause);
  }
  if (admission.kind === 'admit') return;
  const { retryAfterMs } = admission;
  throw new IdempotencyError('IDEMPOTENCY_QUOTA_EXCEEDED', { retryAfterMs });
}
