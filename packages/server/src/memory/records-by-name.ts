import type { RecordName } from '@onceward/core/store';
import type { MemoryRecord } from './memory-record.ts';

/**
 * Records in the order of their creation, by name.
 *
 * Nearly every key belongs to one scope alone, so it is the key that a record is found by: to make
 * one text of a whole name, and to hash it, was most of the cost of a reservation. A record whose key
 * was taken, by another scope or as the other kind of key, is found by its whole name.
 */
export class RecordsByName {
  readonly #records = new Map<string, MemoryRecord>();
  /** How many are found by their whole name. While none is, no whole name need be made. */
  #shared = 0;
  /** What was last asked for in vain: who asks for a key that is free takes it next. */
  #free: string | undefined;

  get(name: RecordName): MemoryRecord | undefined {
    const first = this.#records.get(name.key);
    if (!first) this.#free = name.key;
    if (first ? isNamed(first, name) : this.#shared === 0) return first;
    return this.#records.get(wholeName(name));
  }

  /** Takes the place of the record with that name, if there is one. */
  set(name: RecordName, record: MemoryRecord): void {
    const place = this.#placeOf(name);
    if (place !== name.key && !this.#records.has(place)) this.#shared += 1;
    this.#records.set(place, record);
    this.#free = undefined;
  }

  delete(name: RecordName): void {
    const place = this.#placeOf(name);
    if (this.#records.delete(place) && place !== name.key) this.#shared -= 1;
  }

  values(): Iterable<MemoryRecord> {
    return this.#records.values();
  }

  /** Where the record of that name is, or would be. */
  #placeOf(name: RecordName): string {
    const first = this.#free === name.key ? undefined : this.#records.get(name.key);
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
