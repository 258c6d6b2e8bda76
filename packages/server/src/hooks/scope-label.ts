import type { EngineHooks } from './engine-hooks.ts';

/** The application's own name for a kind of scope, for an event; nothing unless it has one. */
export function scopeLabelOf(
  { hooks }: { readonly hooks: EngineHooks },
  scope: string,
): { readonly scopeLabel?: string } {
  try {
    const scopeLabel = hooks.scopeLabel?.(scope);
    return scopeLabel === undefined ? {} : { scopeLabel };
  } catch {
    // As with any observer: it must not change what happens to a mutation.
    return {};
  }
}
