import type { ResolvedEngineOptions } from '../options/engine-options.ts';
import type { EngineEvent } from './engine-event.ts';

/** Tells the application. An observer that throws must not change what happens to a mutation. */
export function emit({ hooks }: Pick<ResolvedEngineOptions, 'hooks'>, event: EngineEvent): void {
  try {
    hooks.onEvent?.(event);
  } catch {
    // There is nobody to tell.
  }
}
