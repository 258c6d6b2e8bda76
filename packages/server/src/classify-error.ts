import { IdempotencyError } from '@onceward/core';
import { bareError } from './answers/bare-error.ts';
import { effectPolicies, type ErrorClass } from './effect.ts';
import type { ResolvedMutation } from './options/mutation-options.ts';

/** What an error of the handler means for its intent, and who says so. */
export interface Classified {
  readonly errorClass: ErrorClass;
  /** The author declared it, and so knows what it carries. */
  readonly declared: boolean;
}

export function classifyError(error: unknown, mutation: ResolvedMutation): Classified {
  const errorClass = declaredClass(error, mutation);
  if (errorClass) return { errorClass, declared: true };
  // Our own refusals, of this mutation or of one it called, are about the moment, not the intent.
  const byProfile = mutation.engine.profile === 'stripe' && !IdempotencyError.is(error);
  return {
    errorClass: byProfile ? 'store' : effectPolicies[mutation.effect].onError,
    declared: false,
  };
}

/**
 * What of an error may be stored. One that nobody declared may carry anything, such as the request
 * it failed on with its credentials: only what names it is kept.
 */
export function storableError(error: unknown, { declared }: Classified): unknown {
  return declared ? error : bareError(error);
}

function declaredClass(error: unknown, mutation: ResolvedMutation): ErrorClass | undefined {
  try {
    const declared = mutation.classifyError(error);
    return errorClasses.find((each) => each === declared);
  } catch {
    // A classifier that fails knows nothing; the effect's own policy is safe without it.
    return undefined;
  }
}

const errorClasses: readonly ErrorClass[] = ['store', 'release', 'unknown'];
