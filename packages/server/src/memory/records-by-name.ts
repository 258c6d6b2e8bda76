import type { RecordName } from '@onceward/core/store';
import type { MemoryRecord } from './memory-record.ts';
import { type PackedAt, PackedRecords } from './packed-records.ts';

export interface PackingOptions {
  /** How many completed records wait for each other. @defaultValue 32 */
  readonly atOnce?: number;
}

/**
 * Records in the order of their creation, by name.
 *
 * Nearly every key belongs to one scope alone, so it is the key that a record is found by: to make
 * one text of a whole name, and to hash it, was most of the cost of a reservation. A record whose key
 * was taken, by another scope or as the other kind of key, is found by its whole name.
 *
 * Completed records are packed. What is found of them is a copy: `set` it again if it changes.
 */
export class RecordsByName {
  readonly #records = new Map<string, MemoryRecord | PackedAt>();
  readonly #packed = new PackedRecords();
  /** Completed, and not packed yet. */
  readonly #completed: MemoryRecord[] = [];
  readonly #atOnce: number;
  /** How many are found by their whole name. While none is, no whole name need be made. */
  #shared = 0;
  /** What was last asked for in vain: who asks for a key that is free takes it next. */
  #free: string | undefined;

  constructor({ atOnce = 32 }: PackingOptions = {}) {
    this.#atOnce = atOnce;
  }

  get(name: RecordName): MemoryRecord | undefined {
    const first = this.#at(name.key);
    if (!first) this.#free = name.key;
    if (first ? isNamed(first, name) : this.#shared === 0) return first;
    return this.#at(wholeName(name));
  }

  /** Takes the place of the record with that name, if there is one. */
  set(name: RecordName, record: MemoryRecord): void {
    const place = this.#placeOf(name);
    const isFree = place === name.key && place === this.#free;
    const before = isFree ? undefined : this.#records.get(place);
    if (typeof before === 'number') this.#packed.delete(before);
    if (place !== name.key && before === undefined) this.#shared += 1;
    this.#records.set(place, record);
    this.#free = undefined;
  }

  delete(name: RecordName): void {
    const place = this.#placeOf(name);
    const before = this.#records.get(place);
    if (typeof before === 'number') this.#packed.delete(before);
    if (this.#records.delete(place) && place !== name.key) this.#shared -= 1;
  }

  /**
   * Packs a completed record, some at a time: what code needs is in the processor's caches for all
   * but the first of them.
   */
  pack(record: MemoryRecord, now: number): void {
    if (typeof record.answer !== 'string') return;
    if (this.#completed.push(record) < this.#atOnce) return;
    for (const completed of this.#completed.splice(0)) this.#packNow(completed, now);
  }

  /** All that are not packed, which is all that is not completed, and a few. */
  *unpacked(fromSequence = 0): Iterable<MemoryRecord> {
    for (const each of this.#records.values()) {
      if (typeof each !== 'number' && each.sequence >= fromSequence) yield each;
    }
  }

  /** Those, and of the packed ones all that may be forgotten by now, or lose their answer. */
  *due(now: number, fromSequence = 0): Iterable<MemoryRecord> {
    for (const each of this.#records.values()) {
      if (typeof each !== 'number') {
        if (each.sequence >= fromSequence) yield each;
      } else if (this.#packed.isDue(each, now) && this.#packed.sequenceOf(each) >= fromSequence) {
        yield this.#packed.get(each);
      }
    }
  }

  get packedCount(): number {
    return this.#packed.size;
  }

  #packNow(record: MemoryRecord, now: number): void {
    const place = this.#placeHolding(record);
    if (place === undefined) return;
    const packed = this.#packedAt(record, now);
    if (packed !== undefined) this.#records.set(place, packed);
  }

  /**
   * Where a record is; `undefined` if it has left, or is no longer the one of its name. By identity,
   * which is one look for nearly every record.
   */
  #placeHolding(record: MemoryRecord): string | undefined {
    if (this.#records.get(record.key) === record) return record.key;
    if (this.#shared === 0) return undefined;
    const whole = wholeName(record);
    return this.#records.get(whole) === record ? whole : undefined;
  }

  /** Without memory for it, a record stays as it is: the mutation has been completed all the same. */
  #packedAt(record: MemoryRecord, now: number): PackedAt | undefined {
    try {
      return this.#packed.add(record, now);
    } catch {
      return undefined;
    }
  }

  #at(place: string): MemoryRecord | undefined {
    const found = this.#records.get(place);
    return found === undefined ? undefined : this.#opened(found);
  }

  #opened(found: MemoryRecord | PackedAt): MemoryRecord {
    return typeof found === 'number' ? this.#packed.get(found) : found;
  }

  /** Where the record of that name is, or would be. */
  #placeOf(name: RecordName): string {
    const first = this.#free === name.key ? undefined : this.#at(name.key);
    if (first) return isNamed(first, name) ? name.key : wholeName(name);
    if (this.#shared === 0) return name.key;
    // Whoever had the key first may be gone: this one stays where it was put.
    const whole = wholeName(name);
    return this.#records.has(whole) ? whole : name.key;
  }
}

function isNamed(record: RecordName, { scope, keyTimestampMs }: RecordName): boolean {
  return record.scope === scope && (record.keyTimestampMs === null) === (keyTimestampMs === null);
}

/** Neither kind of key has a space in it, so no two names share a text, and none is a key. */
function wholeName({ scope, key, keyTimestampMs }: RecordName): string {
  return `${keyTimestampMs === null ? 'opaque' : 'uuid'} ${key} ${scope}`;
}
