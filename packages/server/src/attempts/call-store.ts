import { IdempotencyError } from '@onceward/core';
import type { Store } from '@onceward/core/store';
import type { EngineRuntime } from '../engine-runtime.ts';
import { emit } from '../hooks/emit.ts';

/** Calls the store, within its time; any failure is 503 with the same key, and is reported. */
export async function callStore<T>(
  engine: EngineRuntime,
  call: (store: Store) => Promise<T>,
): Promise<T> {
  try {
    return await engine.storeTime.limit(call(engine.store));
  } catch (cause) {
    throw storeUnavailable(engine, cause);
  }
}

export function storeUnavailable(
  engine: EngineRuntime,
  cause: unknown,
): IdempotencyError<'IDEMPOTENCY_STORE_UNAVAILABLE'> {
  emit(engine, { kind: 'store-failed', store: engine.store.name, cause });
  const details = { retryAfterMs: engine.storeRetryAfterMs };
  return new IdempotencyError('IDEMPOTENCY_STORE_UNAVAILABLE', details, { cause });
}
