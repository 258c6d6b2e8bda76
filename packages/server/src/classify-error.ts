import { effectPolicies, type ErrorClass } from './effect.ts';
import type { ResolvedMutation } from './options/mutation-options.ts';

/** Decides what an error of the handler means for its intent. */
export function classifyError(error: unknown, mutation: ResolvedMutation): ErrorClass {
  const declared = declaredClass(error, mutation);
  if (declared !== undefined) return declared;
  if (mutation.engine.profile === 'stripe') return 'store';
  return effectPolicies[mutation.effect].onError;
}

function declaredClass(error: unknown, mutation: ResolvedMutation): ErrorClass | undefined {
  try {
    return mutation.classifyError(error);
  } catch {
    // A classifier that fails knows nothing; the effect's own policy is safe without it.
    return undefined;
  }
}
