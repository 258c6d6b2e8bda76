import { createGraphQLError } from '@graphql-tools/utils';
import type { ExecutionResult, GraphQLError } from 'graphql';
import { ReplayedError } from '../../answers/answer-codec.ts';
import { bareError } from '../../answers/bare-error.ts';
import type { Executed } from '../failed-execution.ts';
import { outerError } from '../inner-refusal.ts';

/** What a resolver threw, as the execution of an operation with this one field. */
export function failedField(thrown: unknown, responseName: string): Executed {
  const data = { [responseName]: null };
  return {
    raw: { data, errors: [locatedError(thrown)] },
    answer: { data, errors: [storedFailure(outerError(thrown))] },
  };
}

/** As executors wrap it, but without a path: it may bring that of another service along. */
function locatedError(thrown: unknown): GraphQLError {
  const { message } = isGraphQLError(thrown) ? thrown : bareError(thrown);
  return createGraphQLError(message, {
    originalError: thrown instanceof Error ? thrown : new Error(message),
    ...(isGraphQLError(thrown) ? { extensions: thrown.extensions } : {}),
  });
}

/** Of what nobody meant for clients, only what names it is kept. */
function storedFailure(thrown: unknown): GraphQLError {
  if (isGraphQLError(thrown)) return unplaced(thrown);
  const { message, name } = bareError(thrown);
  return createGraphQLError(message, { extensions: { [thrownAs]: name } });
}

/**
 * The error of an earlier attempt, as a resolver throws it.
 *
 * What was no `GraphQLError` is none now. Servers mask it as they did, and `formatError` sees it;
 * as a `GraphQLError`, its message would be for everybody.
 */
export function replayedFailure({ errors = [] }: ExecutionResult): Error | undefined {
  const [error] = errors;
  if (!error) return undefined;
  const { message, extensions } = error;
  const name = extensions[thrownAs];
  return typeof name === 'string'
    ? new ReplayedError({ name, message, properties: {} })
    : unplaced(error);
}

/** In `extensions` of a stored error that was no `GraphQLError`: the name it had. */
const thrownAs = 'onceward:thrown-as';

/** Without its place in the document: the server adds the one of this delivery. */
function unplaced({ message, extensions }: GraphQLError): GraphQLError {
  return createGraphQLError(message, { extensions });
}

/** By name: there may be several copies of graphql. */
function isGraphQLError(thrown: unknown): thrown is GraphQLError {
  return thrown instanceof Error && thrown.name === 'GraphQLError' && 'extensions' in thrown;
}
