import type { Outcome, UnavailableReason } from '@onceward/core/store';
import type { MemoryRecord } from './memory-record.ts';

/**
 * Bytes are the caller's, so they are copied. A text is nobody's; a long one is kept as bytes, which
 * are not in the heap.
 */
export function keptAnswer(answer: Uint8Array | string): Uint8Array | string {
  if (typeof answer === 'string' && answer.length <= longestText) return answer;
  return Buffer.from(answer);
}

const longestText = 1_024;

/** In bytes that are the caller's, and not the next one's as well. */
export function outcomeOf({ outcome: kind, answer }: MemoryRecord): Outcome {
  if (kind === 'unavailable') return { kind, reason: answer as UnavailableReason };
  return { kind, answer: Buffer.from(answer) };
}
