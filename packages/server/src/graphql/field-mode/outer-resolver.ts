import { isPromise } from '../../is-promise.ts';
import { outerError } from '../inner-refusal.ts';
import type { Resolver } from './guarded-resolver.ts';

/**
 * A resolver that is not guarded, beside or below those that are. What it calls may be refused, and
 * that must not be taken for a refusal of the operation.
 */
export function outerResolver(resolve: Resolver): Resolver {
  return (...call) => {
    try {
      const value = resolve(...call);
      return isPromise(value) ? value.then(shown, rethrown) : shown(value);
    } catch (error) {
      return rethrown(error);
    }
  };
}

/** GraphQL takes an error that is returned for one that is thrown. */
function shown(value: unknown): unknown {
  return value instanceof Error ? outerError(value) : value;
}

function rethrown(error: unknown): never {
  throw outerError(error);
}
