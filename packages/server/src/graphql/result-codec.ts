import type { ExecutionResult, GraphQLFormattedError } from 'graphql';
import { type AnswerCodec, jsonCodec } from '../answers/answer-codec.ts';
import { FailedExecution } from './failed-execution.ts';
import { replayedError, storedError } from './stored-error.ts';
import { withoutHeaders } from './stored-http.ts';

/**
 * Stores results as they go over the wire: data as its scalars serialise it, errors as they were
 * after masking, and none of the headers.
 */
export const resultCodec: AnswerCodec<ExecutionResult> = {
  encode: (result) => jsonCodec.encode(storedResult(result)),
  decode: (bytes) => replayedResult(jsonCodec.decode(bytes) as StoredResult),
  encodeError: (error) => jsonCodec.encode(storedResult(answerOf(error))),
  decodeError: (bytes) =>
    new FailedExecution({ answer: replayedResult(jsonCodec.decode(bytes) as StoredResult) }),
};

interface StoredResult {
  readonly data?: NonNullable<ExecutionResult['data']> | null;
  readonly errors?: readonly GraphQLFormattedError[];
  readonly extensions?: Record<string, unknown>;
}

/** Its members in the order they have, so that a replay is the same bytes. */
function storedResult(result: ExecutionResult): StoredResult {
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

function replayedResult(stored: StoredResult): ExecutionResult {
  const { errors, ...others } = stored;
  // Over the stored members rather than beside them: each stays in its place.
  return errors ? { ...stored, errors: errors.map(replayedError) } : others;
}

/** What else can fail is not an answer, and may say anything: that it failed is all that is kept. */
function answerOf(error: unknown): ExecutionResult {
  if (error instanceof FailedExecution) return error.answer;
  return { errors: [replayedError({ message: 'Unexpected error.', extensions: unexpected })] };
}

const unexpected = { code: 'INTERNAL_SERVER_ERROR', unexpected: true };
