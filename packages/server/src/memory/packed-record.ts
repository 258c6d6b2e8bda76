import type { IdempotencyKey } from '@onceward/core';
import { digestText, type MemoryRecord, noLooks, nothing } from './memory-record.ts';
import { type Slab, stepBytes } from './slab.ts';

/** What of a record is text. */
export interface RecordText {
  readonly digest: string;
  readonly text: string;
  /** How many bytes it takes at most. */
  readonly mostBytes: number;
}

/** `undefined` for a record whose answer is not kept as a text. */
export function textOf(record: MemoryRecord): RecordText | undefined {
  const { key, token, scope, operation, answer } = record;
  if (typeof answer !== 'string') return undefined;
  const digest = digestText(record.fingerprint);
  const text = key + token + scope + operation + answer;
  return { digest, text, mostBytes: headBytes + digest.length + text.length * 3 };
}

/**
 * Writes it to the end of a slab:
 *
 *   │ four numbers │ ten counts │ digest │ key, token, scope, operation and answer as UTF-8 │
 *
 * False, and nothing is written, if it would not be the same afterwards.
 */
export function append(record: MemoryRecord, { digest, text }: RecordText, slab: Slab): boolean {
  const { end, bytes } = slab;
  const from = end * stepBytes + headBytes;
  const textFrom = from + digest.length;
  const textBytes = bytes.write(text, textFrom);
  // Half of a surrogate pair would come back as another character.
  if (
    textBytes !== text.length &&
    bytes.toString('utf8', textFrom, textFrom + textBytes) !== text
  ) {
    bytes.fill(0, textFrom, textFrom + textBytes);
    return false;
  }
  for (let at = 0; at < digest.length; at += 1) bytes[from + at] = digest.charCodeAt(at);
  writeHead(record, slab, { digestLength: digest.length, textBytes });
  slab.end = Math.ceil((textFrom + textBytes) / stepBytes);
  return true;
}

/** A record of its own: what is changed in it changes nothing here. */
export function recordIn(slab: Slab, step: number): MemoryRecord {
  const count = (at: number) => slab.counts[countsFrom(step) + at] ?? 0;
  const from = step * stepBytes + headBytes;
  const textFrom = from + count(Count.digestLength);
  const text = slab.bytes.toString('utf8', textFrom, textFrom + count(Count.textBytes));
  const tokenAt = count(Count.keyLength);
  const scopeAt = tokenAt + count(Count.tokenLength);
  const operationAt = scopeAt + count(Count.scopeLength);
  const answerAt = operationAt + count(Count.operationLength);
  return {
    scope: text.slice(scopeAt, operationAt),
    key: text.slice(0, tokenAt) as IdempotencyKey,
    keyTimestampMs: count(Count.isOpaque) ? null : numberIn(slab, step, Numbers.keyTimestampMs),
    sequence: numberIn(slab, step, Numbers.sequence),
    operation: text.slice(operationAt, answerAt),
    fingerprintVersion: count(Count.fingerprintVersion),
    fingerprint: slab.bytes.toString('latin1', from, textFrom),
    keyExpiresAt: numberIn(slab, step, Numbers.keyExpiresAt),
    token: text.slice(tokenAt, scopeAt),
    attempt: count(Count.attempt),
    outcome: outcomes[count(Count.outcome)] ?? 'unavailable',
    answer: text.slice(answerAt),
    answerExpiresAt: numberIn(slab, step, Numbers.answerExpiresAt),
    // The same for all that are completed.
    state: 'completed',
    onStaleLease: 'unknown',
    leaseExpiresAt: 0,
    progress: nothing,
    unknownSince: 0,
    looks: noLooks,
  };
}

export function sequenceIn(slab: Slab, step: number): number {
  return numberIn(slab, step, Numbers.sequence);
}

/** Whether its key has expired, or an answer that is still there. */
export function isDueIn(slab: Slab, step: number, now: number): boolean {
  if (numberIn(slab, step, Numbers.keyExpiresAt) < now) return true;
  if (slab.counts[countsFrom(step) + Count.outcome] === unavailable) return false;
  return numberIn(slab, step, Numbers.answerExpiresAt) < now;
}

/** Leaves nothing of it to be read. */
export function erase(slab: Slab, step: number): void {
  const { counts, bytes } = slab;
  const length =
    (counts[countsFrom(step) + Count.digestLength] ?? 0) +
    (counts[countsFrom(step) + Count.textBytes] ?? 0);
  bytes.fill(0, step * stepBytes, step * stepBytes + headBytes + length);
}

/** By their place in the head, as are the counts. */
const Numbers = { sequence: 0, keyTimestampMs: 1, keyExpiresAt: 2, answerExpiresAt: 3 } as const;
const Count = {
  attempt: 0,
  fingerprintVersion: 1,
  outcome: 2,
  digestLength: 3,
  keyLength: 4,
  tokenLength: 5,
  scopeLength: 6,
  operationLength: 7,
  textBytes: 8,
  /** Whether the key has no time in it. */
  isOpaque: 9,
} as const;
const numberSteps = 4;
const headBytes = numberSteps * stepBytes + 10 * 4;

function numberIn({ numbers }: Slab, step: number, at: number): number {
  return numbers[step + at] ?? NaN;
}

/** Counts are half as long as numbers. */
function countsFrom(step: number): number {
  return (step + numberSteps) * 2;
}

function writeHead(
  record: MemoryRecord,
  { numbers, counts, end }: Slab,
  { digestLength, textBytes }: { readonly digestLength: number; readonly textBytes: number },
): void {
  numbers[end + Numbers.sequence] = record.sequence;
  numbers[end + Numbers.keyTimestampMs] = record.keyTimestampMs ?? NaN;
  numbers[end + Numbers.keyExpiresAt] = record.keyExpiresAt;
  numbers[end + Numbers.answerExpiresAt] = record.answerExpiresAt;
  const from = countsFrom(end);
  counts[from + Count.attempt] = record.attempt;
  counts[from + Count.fingerprintVersion] = record.fingerprintVersion;
  counts[from + Count.outcome] = outcomes.indexOf(record.outcome);
  counts[from + Count.digestLength] = digestLength;
  counts[from + Count.keyLength] = record.key.length;
  counts[from + Count.tokenLength] = record.token.length;
  counts[from + Count.scopeLength] = record.scope.length;
  counts[from + Count.operationLength] = record.operation.length;
  counts[from + Count.textBytes] = textBytes;
  counts[from + Count.isOpaque] = record.keyTimestampMs === null ? 1 : 0;
}

const outcomes: readonly MemoryRecord['outcome'][] = ['success', 'failure', 'unavailable'];
const unavailable = outcomes.indexOf('unavailable');
