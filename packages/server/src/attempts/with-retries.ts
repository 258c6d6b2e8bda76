import type { EngineRuntime } from '../engine-runtime.ts';

/**
 * Tries again while the store fails, for what must be written because it has happened. Only for
 * calls that are harmless to repeat.
 */
export async function withRetries<T>(engine: EngineRuntime, call: () => Promise<T>): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await call();
    } catch (error) {
      const delayMs = retryDelaysMs[failures];
      if (delayMs === undefined) throw error;
      await new Promise<void>((resolve) => engine.clock.setTimer(resolve, delayMs));
    }
  }
}

const retryDelaysMs = [50, 200, 800];
