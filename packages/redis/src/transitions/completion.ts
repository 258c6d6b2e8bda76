import type { Completion } from '@onceward/core/store';
import { completedStatus } from '../record-status.ts';

/** A completion as the scripts take it: the status, the answer's retention, the answer. */
export function packCompletion({
  outcome,
  answerRetentionMs,
}: Completion): [string, Buffer, Buffer] {
  const { buffer, byteOffset, byteLength } =
    outcome.kind === 'unavailable' ? new Uint8Array() : outcome.answer;
  return [
    completedStatus(outcome),
    packDuration(answerRetentionMs),
    Buffer.from(buffer, byteOffset, byteLength),
  ];
}

/** Eight bytes, because Lua reads no `Infinity` from text. */
export function packDuration(ms: number): Buffer {
  const packed = Buffer.alloc(8);
  packed.writeDoubleBE(ms);
  return packed;
}
