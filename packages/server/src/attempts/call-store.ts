import { type Clock, IdempotencyError } from '@onceward/core';
import type { Reservation, ReserveRequest, Store } from '@onceward/core/store';
import { emit } from '../hooks/emit.ts';
import type { ResolvedEngineOptions } from '../options/engine-options.ts';

/** Calls the store, within its time; any failure is 503 with the same key, and is reported. */
export async function callStore<T>(
  engine: ResolvedEngineOptions,
  call: (store: Store) => Promise<T>,
): Promise<T> {
  try {
    return await within(engine.storeTimeoutMs, engine.clock, call(engine.store));
  } catch (cause) {
    throw storeUnavailable(engine, cause);
  }
}

/**
 * Reserves, asking a second time when the first answer was lost: the token makes that harmless.
 *
 * When both fail the handler must not run, although the reservation may exist. It is given back
 * as well as can be; otherwise an effect that never began would be called unknown.
 */
export async function reserve(
  request: ReserveRequest,
  engine: ResolvedEngineOptions,
): Promise<Reservation> {
  const { store, clock, storeTimeoutMs } = engine;
  const asked = store.reserve(request).catch(() => store.reserve(request));
  try {
    return await within(storeTimeoutMs, clock, asked);
  } catch (cause) {
    const { scope, key, keyTimestampMs, token } = request;
    const giveBack = () => store.release({ scope, key, keyTimestampMs, token });
    // After the question, however late its answer: a release that overtakes it would do nothing.
    asked.then(giveBack, giveBack).catch(() => undefined);
    throw storeUnavailable(engine, cause);
  }
}

/** Refuses to use a store that is set up in a way that breaks a promise. */
export function verified(engine: ResolvedEngineOptions): Promise<void> {
  return callStore(engine, () => engine.ready());
}

export function storeUnavailable(
  engine: ResolvedEngineOptions,
  cause: unknown,
): IdempotencyError<'IDEMPOTENCY_STORE_UNAVAILABLE'> {
  emit(engine, { kind: 'store-failed', store: engine.store.name, cause });
  const details = { retryAfterMs: engine.storeRetryAfterMs };
  return new IdempotencyError('IDEMPOTENCY_STORE_UNAVAILABLE', details, { cause });
}

/** Rejects when `promise` takes longer than `ms`; the promise itself goes on. */
function within<T>(ms: number, clock: Clock, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.setTimer(() => {
      reject(new Error(`The store did not answer within ${ms} ms`));
    }, ms);
    promise.then(resolve, reject).finally(cancel);
  });
}
