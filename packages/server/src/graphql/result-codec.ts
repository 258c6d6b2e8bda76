import type { ExecutionResult, GraphQLFormattedError } from 'graphql';
import { type AnswerCodec, jsonCodec, jsonText } from '../answers/answer-codec.ts';
import { FailedExecution } from './failed-execution.ts';
import { replayedError, storedError } from './stored-error.ts';
import { withoutHeaders } from './stored-http.ts';

/** A result, and the bytes that later attempts are answered from, where it can be written. */
export interface KeptResult {
  readonly result: ExecutionResult;
  readonly bytes?: Uint8Array | undefined;
}

/**
 * Stores results as they go over the wire: data as its scalars serialise it, errors as they were
 * after masking, and none of the headers.
 */
export const resultCodec: AnswerCodec<KeptResult> = {
  encode: ({ result, bytes }) => bytes ?? jsonCodec.encode(storedResult(result)),
  decode: (bytes) => ({ result: replayedResult(jsonCodec.decode(bytes) as StoredResult) }),
  encodeError: (error) => jsonCodec.encode(storedResult(answerOf(error))),
  decodeError: (bytes) => new FailedExecution({ answer: resultCodec.decode(bytes).result }),
};

/**
 * What the first client gets: data and extensions as later ones will read them. The application may
 * hold on to what a scalar returned and change it, before the server has written it.
 *
 * Errors stay the ones that they are, and so do headers: both are given once. So does what cannot be
 * replayed, in an object of its own: a plugin may give the same one to everybody.
 */
export function keep(result: ExecutionResult): KeptResult {
  try {
    const text = jsonText(storedResult(result));
    const { data, extensions } = JSON.parse(text) as StoredResult;
    const copy = { ...result };
    if (result.data !== undefined) copy.data = data ?? null;
    if (extensions) {
      const { http } = Object(result.extensions) as { http?: unknown };
      copy.extensions = http ? { ...extensions, http } : extensions;
    }
    return { result: copy, bytes: Buffer.from(text) };
  } catch {
    return { result: { ...result } };
  }
}

interface StoredResult {
  readonly data?: NonNullable<ExecutionResult['data']> | null;
  readonly errors?: readonly GraphQLFormattedError[];
  readonly extensions?: Record<string, unknown>;
}

/** Its members in the order they have, so that a replay is the same bytes. */
function storedResult(result: ExecutionResult): StoredResult {
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

/** Headers are taken out once more: whoever can write to the store must not send any. */
function replayedResult(stored: StoredResult): ExecutionResult {
  const { errors, extensions, ...others } = stored;
  if (!errors && !extensions) return others;
  // Over the stored members rather than beside them: each stays in its place.
  return {
    ...(stored as ExecutionResult),
    ...(errors ? { errors: errors.map(replayedError) } : {}),
    ...(extensions ? { extensions: withoutHeaders(extensions) } : {}),
  };
}

/** What else can fail is not an answer, and may say anything: that it failed is all that is kept. */
function answerOf(error: unknown): ExecutionResult {
  if (error instanceof FailedExecution) return error.answer;
  return { errors: [replayedError({ message: 'Unexpected error.', extensions: unexpected })] };
}

const unexpected = { code: 'INTERNAL_SERVER_ERROR', unexpected: true };
