import type { RecordName } from '@onceward/core/store';
import type { MemoryRecord } from './memory-record.ts';

/**
 * Records in the order of their creation, by name.
 *
 * Nearly every key belongs to one scope alone, so it is the key that a record is found by: to make
 * one text of a whole name, and to hash it, takes longer than the rest of a reservation. Whoever
 * sends a key that another scope sent first is found by the whole name.
 */
export class RecordsByName {
  readonly #records = new Map<string, MemoryRecord>();
  /** How many are found by their whole name. While there are none, nobody is looked for there. */
  #shared = 0;

  get(name: RecordName): MemoryRecord | undefined {
    const first = this.#records.get(name.key);
    if (first ? isNamed(first, name) : this.#shared === 0) return first;
    return this.#records.get(wholeName(name));
  }

  /** Takes the place of the record with that name, if there is one. */
  set(name: RecordName, record: MemoryRecord): void {
    const first = this.#records.get(name.key);
    const isFirst = first
      ? isNamed(first, name)
      : this.#shared === 0 || !this.#records.has(wholeName(name));
    if (isFirst) {
      this.#records.set(name.key, record);
      return;
    }
    const { size } = this.#records;
    this.#records.set(wholeName(name), record);
    this.#shared += this.#records.size - size;
  }

  delete(name: RecordName): void {
    const first = this.#records.get(name.key);
    if (first && isNamed(first, name)) this.#records.delete(name.key);
    else if (this.#records.delete(wholeName(name))) this.#shared -= 1;
  }

  values(): Iterable<MemoryRecord> {
    return this.#records.values();
  }
}

function isNamed({ lease }: MemoryRecord, { scope, keyTimestampMs }: RecordName): boolean {
  return lease.scope === scope && (lease.keyTimestampMs === null) === (keyTimestampMs === null);
}

/** Neither kind of key has a space in it, so no two names share a text, and none is a key. */
function wholeName({ scope, key, keyTimestampMs }: RecordName): string {
  return `${keyTimestampMs === null ? 'opaque' : 'uuid'} ${key} ${scope}`;
}
