import { digestText, type MemoryRecord } from './memory-record.ts';

/**
 * Has digests taken some at a time: what code needs is in the processor's caches for all but the
 * first of them, and a server that takes one for each request has cleared them in between. Until
 * then a fingerprint remembers its input, so no more than thirty-one wait: until others come, or
 * their key comes again.
 */
export class LateDigests {
  readonly #waiting: MemoryRecord[] = [];

  add(record: MemoryRecord): void {
    if (typeof record.fingerprint === 'string') return;
    if (this.#waiting.push(record) < atOnce) return;
    for (const waiting of this.#waiting) waiting.fingerprint = digestText(waiting.fingerprint);
    this.#waiting.length = 0;
  }
}

const atOnce = 32;
