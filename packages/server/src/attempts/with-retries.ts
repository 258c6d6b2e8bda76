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
  for (let failures = 0; ; failures++) {
    try {
      return await engine.storeTime.limit(call(engine.store));
    } catch (cause) {
      const error = storeUnavailable(engine, cause);
      const delayMs = retryDelaysMs[failures];
      if (delayMs === undefined) throw error;
      await new Promise<void>((resolve) => engine.clock.setTimer(resolve, delayMs));
    }
  }
}

const retryDelaysMs = [50, 200, 800];
