import { createGraphQLError } from '@graphql-tools/utils';
import {
  type GraphQLError,
  type GraphQLFormattedError,
  Source,
  type SourceLocation,
} from 'graphql';
import { withoutHeaders } from './stored-http.ts';

/** An error as it is stored: what the client got of it, and the status it came with. */
export function storedError(error: GraphQLError | GraphQLFormattedError): GraphQLFormattedError {
  const { message, locations, path, extensions } = 'toJSON' in error ? error.toJSON() : error;
  return {
    message,
    ...(locations ? { locations } : {}),
    ...(path ? { path } : {}),
    ...(extensions ? { extensions: withoutHeaders(extensions) } : {}),
  };
}

/**
 * The error of an earlier attempt. A real one, made as Yoga makes its own: servers read the status
 * of what is an instance of their `GraphQLError`, keep their internals out of its body, and mask
 * what is not.
 */
export function replayedError({
  message,
  locations = [],
  path,
  extensions,
}: GraphQLFormattedError): GraphQLError {
  return createGraphQLError(message, {
    ...(path ? { path } : {}),
    ...(extensions ? { extensions: withoutHeaders(extensions) } : {}),
    ...(locations.length > 0 ? blankPage(locations) : {}),
  });
}

/**
 * A text that is blank, except that its lines are long enough for the locations.
 *
 * An error computes its locations, and so does every copy that a server makes of it; they cannot
 * be set. The text they were in may differ by white space now, so it is no help.
 */
function blankPage(locations: readonly SourceLocation[]) {
  const lines = Array.from({ length: Math.max(...locations.map(({ line }) => line)) }, () => 0);
  for (const { line, column } of locations) {
    lines[line - 1] = Math.max(lines[line - 1] ?? 0, column);
  }
  const offsets: number[] = [];
  let length = 0;
  for (const columns of lines) {
    offsets.push(length);
    length += columns + 1;
  }
  return {
    source: new Source(lines.map((columns) => ' '.repeat(columns)).join('\n')),
    positions: locations.map(({ line, column }) => (offsets[line - 1] ?? 0) + column - 1),
  };
}
