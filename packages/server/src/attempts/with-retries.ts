import type { Store } from '@onceward/core/store';
import type { EngineRuntime } from '../engine-runtime.ts';
import { storeUnavailable } from './call-store.ts';

/**
 * Calls the store, and tries again while it fails, for what must be written because it has
 * happened. Only for calls that are harmless to repeat.
 */
export async function withRetries<T>(
  engine: EngineRuntime,
  call: (store: Store) => Promise<T>,
): Promise<T> {
  try {
    return await engine.storeTime.limit(call(engine.store));
  } catch (cause) {
    return await retry(cause, engine, call);
  }
}

/** The rest of it, after the first try failed. */
export async function retry<T>(
  cause: unknown,
  engine: EngineRuntime,
  call: (store: Store) => Promise<T>,
): Promise<T> {
  let error = storeUnavailable(engine, cause);
  for (const delayMs of retryDelaysMs) {
    await new Promise<void>((resolve) => engine.clock.setTimer(resolve, delayMs));
    try {
      return await engine.storeTime.limit(call(engine.store));
    } catch (again) {
      error = storeUnavailable(engine, again);
    }
  }
  throw error;
}

const retryDelaysMs = [50, 200, 800];
