import type { IdempotencyKey } from '@onceward/core';
import { digestText, type MemoryRecord, noLooks, nothing } from './memory-record.ts';
import { Slab, slabSteps, stepBytes } from './slab.ts';

/** Where a packed record is. */
export type PackedAt = number;

/**
 * Completed records as bytes outside of the heap, where no garbage collection looks at them. Nearly
 * all that a store in memory has is completed; as ten objects each, they were looked at again and
 * again, which came to cost more than the rest of a mutation.
 *
 *   slab   │ record │ record │ …
 *   record │ four numbers │ ten counts │ digest │ key, token, scope, operation and answer as UTF-8 │
 *
 * Nothing is moved or tidied up. A record goes to others that have about as long to live, so all of
 * a slab leave at about the same time, and its memory with them.
 */
export class PackedRecords {
  readonly #slabs = new Map<number, Slab>();
  /** Which slab is being filled, by how long its records have to live: each twice the one before. */
  readonly #filling = new Map<number, number>();
  #made = 0;

  /** How many records there are. */
  get size(): number {
    let size = 0;
    for (const { records } of this.#slabs.values()) size += records;
    return size;
  }

  /** How many slabs hold them. */
  get slabs(): number {
    return this.#slabs.size;
  }

  /** `undefined` for what cannot be packed: it is large, or would not be the same afterwards. */
  add(record: MemoryRecord, now: number): PackedAt | undefined {
    const { key, token, scope, operation, answer } = record;
    if (typeof answer !== 'string') return undefined;
    const digest = digestText(record.fingerprint);
    const text = key + token + scope + operation + answer;
    const mostBytes = headBytes + digest.length + text.length * 3;
    if (mostBytes > largestBytes) return undefined;

    const number = this.#slabFor(record, now, mostBytes);
    const slab = this.#slabs.get(number);
    if (!slab) return undefined;
    const step = slab.end;
    const from = step * stepBytes + headBytes;
    for (let at = 0; at < digest.length; at += 1) slab.bytes[from + at] = digest.charCodeAt(at);
    const textFrom = from + digest.length;
    const textBytes = slab.bytes.write(text, textFrom);
    // Half of a surrogate pair would come back as another character.
    if (textBytes !== text.length && textIn(slab, textFrom, textBytes) !== text) return undefined;
    writeHead(record, slab, { digestLength: digest.length, textBytes });
    slab.end = Math.ceil((textFrom + textBytes) / stepBytes);
    slab.records += 1;
    return number * slabSteps + step;
  }

  /** A record of its own: what is changed in it changes nothing here. */
  get(place: PackedAt): MemoryRecord {
    const { slab, step } = this.#find(place);
    const head = readHead(slab, step);
    const from = step * stepBytes + headBytes;
    const textFrom = from + head.digestLength;
    const text = textIn(slab, textFrom, head.textBytes);
    const tokenAt = head.keyLength;
    const scopeAt = tokenAt + head.tokenLength;
    const operationAt = scopeAt + head.scopeLength;
    const answerAt = operationAt + head.operationLength;
    return {
      ...head.kept,
      key: text.slice(0, tokenAt) as IdempotencyKey,
      token: text.slice(tokenAt, scopeAt),
      scope: text.slice(scopeAt, operationAt),
      operation: text.slice(operationAt, answerAt),
      answer: text.slice(answerAt),
      fingerprint: slab.bytes.toString('latin1', from, textFrom),
    };
  }

  sequenceOf(place: PackedAt): number {
    const { slab, step } = this.#find(place);
    return slab.numbers[step] ?? NaN;
  }

  delete(place: PackedAt): void {
    const { slab, number, step } = this.#find(place);
    slab.records -= 1;
    // Nobody has asked for it to be remembered any longer.
    const { digestLength, textBytes } = readHead(slab, step);
    const from = step * stepBytes;
    slab.bytes.fill(0, from, from + headBytes + digestLength + textBytes);
    if (slab.records > 0 || this.#isFilling(number)) return;
    this.#slabs.delete(number);
  }

  #find(place: PackedAt): { slab: Slab; number: number; step: number } {
    const number = Math.floor(place / slabSteps);
    const slab = this.#slabs.get(number);
    if (!slab) throw new RangeError('Expected the place of a packed record');
    return { slab, number, step: place % slabSteps };
  }

  #slabFor(record: MemoryRecord, now: number, bytes: number): number {
    const livesForMs = Math.min(record.keyExpiresAt, record.answerExpiresAt) - now;
    const lifetime = Math.ceil(Math.log2(Math.max(1, livesForMs)));
    const filling = this.#filling.get(lifetime);
    if (filling !== undefined && this.#slabs.get(filling)?.hasRoomFor(bytes)) return filling;
    const number = this.#made++;
    this.#slabs.set(number, new Slab());
    this.#filling.set(lifetime, number);
    // Full, and all of it may be gone already.
    if (filling !== undefined && this.#slabs.get(filling)?.records === 0) {
      this.#slabs.delete(filling);
    }
    return number;
  }

  #isFilling(number: number): boolean {
    for (const filling of this.#filling.values()) if (filling === number) return true;
    return false;
  }
}

/** A record that is larger stays as it is. */
const largestBytes = 4_096;

/** `sequence`, `keyTimestampMs` (NaN for `null`), `keyExpiresAt`, `answerExpiresAt` */
const numbers = 4;
const counts = 10;
const headBytes = numbers * 8 + counts * 4;

function writeHead(
  record: MemoryRecord,
  { numbers: written, counts: countsWritten, end }: Slab,
  { digestLength, textBytes }: { readonly digestLength: number; readonly textBytes: number },
): void {
  written[end] = record.sequence;
  written[end + 1] = record.keyTimestampMs ?? NaN;
  written[end + 2] = record.keyExpiresAt;
  written[end + 3] = record.answerExpiresAt;
  const at = (end + numbers) * 2;
  countsWritten[at] = record.attempt;
  countsWritten[at + 1] = record.fingerprintVersion;
  countsWritten[at + 2] = outcomes.indexOf(record.outcome);
  countsWritten[at + 3] = digestLength;
  countsWritten[at + 4] = record.key.length;
  countsWritten[at + 5] = record.token.length;
  countsWritten[at + 6] = record.scope.length;
  countsWritten[at + 7] = record.operation.length;
  countsWritten[at + 8] = textBytes;
}

const outcomes: readonly MemoryRecord['outcome'][] = ['success', 'failure', 'unavailable'];

function readHead({ numbers: written, counts: countsWritten }: Slab, step: number) {
  const count = (at: number) => countsWritten[(step + numbers) * 2 + at] ?? 0;
  const number = (at: number) => written[step + at] ?? NaN;
  const keyTimestampMs = number(1);
  return {
    kept: {
      sequence: number(0),
      keyTimestampMs: Number.isNaN(keyTimestampMs) ? null : keyTimestampMs,
      keyExpiresAt: number(2),
      answerExpiresAt: number(3),
      attempt: count(0),
      fingerprintVersion: count(1),
      outcome: outcomes[count(2)] ?? 'unavailable',
      // The same for all that are completed.
      state: 'completed',
      onStaleLease: 'unknown',
      leaseExpiresAt: 0,
      unknownSince: 0,
      progress: nothing,
      looks: noLooks,
    },
    digestLength: count(3),
    keyLength: count(4),
    tokenLength: count(5),
    scopeLength: count(6),
    operationLength: count(7),
    textBytes: count(8),
  } as const;
}

function textIn({ bytes }: Slab, from: number, length: number): string {
  return bytes.toString('utf8', from, from + length);
}
