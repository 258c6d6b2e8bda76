import type { ExecutionResult } from 'graphql';
import { type AnswerCodec, jsonCodec, jsonText } from '../answers/answer-codec.ts';
import { FailedExecution } from './failed-execution.ts';
import { KeptResult } from './kept-result.ts';
import { replayedError } from './stored-error.ts';
import { replayedResult, storedResult, type StoredResult } from './stored-result.ts';

/** Stores results as they go over the wire. */
export const resultCodec: AnswerCodec<KeptResult> = {
  // `result` is read back from the text, so it is not asked for where there is one.
  encode: (kept) => kept.text ?? jsonText(storedResult(kept.result)),
  decode: (bytes) => KeptResult.unwritten(replayedResult(jsonCodec.decode(bytes) as StoredResult)),
  encodeError: (error) => jsonText(storedResult(answerOf(error))),
  decodeError: (bytes) => new FailedExecution({ answer: resultCodec.decode(bytes).result }),
  // Parts that came later have been collected.
  holdsStream: () => false,
};

/** What else can fail is not an answer, and may say anything: that it failed is all that is kept. */
function answerOf(error: unknown): ExecutionResult {
  if (error instanceof FailedExecution) return error.answer;
  return { errors: [replayedError({ message: 'Unexpected error.', extensions: unexpected })] };
}

const unexpected = { code: 'INTERNAL_SERVER_ERROR', unexpected: true };
