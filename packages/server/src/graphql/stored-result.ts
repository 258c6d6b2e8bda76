import type { ExecutionResult, GraphQLFormattedError } from 'graphql';
import { replayedError, storedError } from './stored-error.ts';
import { withoutHeaders } from './stored-http.ts';

/** A result as it goes over the wire: data as its scalars serialise it, errors after masking, no headers. */
export interface StoredResult {
  readonly data?: NonNullable<ExecutionResult['data']> | null;
  readonly errors?: readonly GraphQLFormattedError[];
  readonly extensions?: Record<string, unknown>;
}

/** What is stored of a result, its members in their order: a replay is the same bytes. */
export function storedResult(result: ExecutionResult): StoredResult {
  // Most have nothing else.
  if (!result.errors && !result.extensions && result.data) return { data: result.data };
  const members = Object.entries(result).flatMap(([name, member]): [string, unknown][] => {
    switch (name) {
      case 'data':
        return [[name, member ?? null]];
      case 'errors':
        return [[name, result.errors?.map(storedError)]];
      case 'extensions':
        return [[name, result.extensions && withoutHeaders(result.extensions)]];
      default:
        return [];
    }
  });
  return Object.fromEntries(members);
}

/** The result of an earlier attempt. Headers are taken out once more: whoever can write to the store must not send any. */
export function replayedResult(stored: StoredResult): ExecutionResult {
  const { errors, extensions, ...others } = stored;
  if (!errors && !extensions) return others;
  // Over the stored members rather than beside them: each stays in its place.
  return {
    ...(stored as ExecutionResult),
    ...(errors ? { errors: errors.map(replayedError) } : {}),
    ...(extensions ? { extensions: withoutHeaders(extensions) } : {}),
  };
}
