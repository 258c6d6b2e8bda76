import { createGraphQLError } from '@graphql-tools/utils';
import { IdempotencyError } from '@onceward/core';
import type { ExecutionResult, GraphQLError, GraphQLFormattedError } from 'graphql';

/**
 * Whether an error that came out of an execution is the refusal of something that it called.
 *
 * Refusals of the mutation itself never come from there. By `code` too: some servers let only that
 * through.
 */
export function isInnerRefusal(error: unknown): boolean {
  if (IdempotencyError.is(error)) return true;
  const { extensions, originalError } = Object(error) as Partial<GraphQLError>;
  const { code, idempotency } = Object(extensions) as { code?: unknown; idempotency?: unknown };
  if (idempotency !== undefined && idempotency !== null) return true;
  if (typeof code === 'string' && code.startsWith('IDEMPOTENCY_')) return true;
  return IdempotencyError.is(originalError);
}

/**
 * An error as clients may see it. The refusal of a call that a mutation made is an accident of that
 * mutation: its client would take "in progress" or "no key" for something about its own key, and
 * send again what was executed.
 */
export function outerError<Thrown>(error: Thrown): Thrown | GraphQLError {
  if (!isInnerRefusal(error)) return error;
  const place = Object(error) as Partial<GraphQLError>;
  const { nodes = null, source = null, positions = null, path = null } = place;
  const outer = createGraphQLError(accident.message, {
    ...{ nodes, source, positions, path },
    extensions: accident.extensions,
  });
  // For logs. As its original, it would decide about masking.
  return Object.assign(outer, { cause: error });
}

/** A result in which no error can be taken for a refusal of its operation. */
export function outerResult(result: ExecutionResult): ExecutionResult {
  if (!result.errors?.some(isInnerRefusal)) return result;
  return { ...result, errors: result.errors.map(shown) };
}

/** Apollo Server hands out errors that are formatted already, and wants them back so. */
function shown(error: GraphQLError | GraphQLFormattedError): GraphQLError {
  if (error instanceof Error) return outerError(error);
  return (isInnerRefusal(error) ? { ...error, ...accident } : error) as GraphQLError;
}

const accident = {
  message: 'Something it depends on was refused',
  extensions: { code: 'INTERNAL_SERVER_ERROR' },
} as const;
