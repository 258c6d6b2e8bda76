import type { EngineRuntime } from '../engine-runtime.ts';
import type { EngineEvent } from './engine-event.ts';

/**
 * Tells the application. An observer that throws, or whose promise rejects, must not change what
 * happens to a mutation, let alone end the process.
 */
export function emit({ hooks }: Pick<EngineRuntime, 'hooks'>, event: EngineEvent): void {
  try {
    const observed: unknown = hooks.onEvent?.(event);
    if (observed instanceof Promise) observed.catch(() => undefined);
  } catch {
    // There is nobody to tell.
  }
}
