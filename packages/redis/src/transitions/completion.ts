import type { Completion } from '@onceward/core/store';
import { completedStatus } from '../record-status.ts';

/** A completion as the scripts take it: 1 byte of status, 8 of the answer's retention, the answer. */
export function packCompletion({ outcome, answerRetentionMs }: Completion): Buffer {
  const answer = outcome.kind === 'unavailable' ? '' : outcome.answer;
  const packed = Buffer.allocUnsafe(9 + Buffer.byteLength(answer));
  packed.write(completedStatus(outcome), 0, 'latin1');
  packed.writeDoubleBE(answerRetentionMs, 1);
  if (typeof answer === 'string') packed.write(answer, 9);
  else packed.set(answer, 9);
  return packed;
}

/** Eight bytes, because Lua reads no `Infinity` from text. */
export function packDuration(ms: number): Buffer {
  const packed = Buffer.alloc(8);
  packed.writeDoubleBE(ms);
  return packed;
}
