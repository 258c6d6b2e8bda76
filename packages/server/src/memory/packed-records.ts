import type { MemoryRecord } from './memory-record.ts';
import { append, erase, isDueIn, recordIn, sequenceIn, textOf } from './packed-record.ts';
import { Slab, slabSteps } from './slab.ts';

/** Where a packed record is: the number of its slab, and the step in it. */
export type PackedAt = number;

/**
 * Completed records as bytes outside of the heap, where no garbage collection looks at them. Nearly
 * all that a store in memory has is completed; as ten objects each, they were looked at again and
 * again, which came to be nearly half of what the kit costs.
 *
 * Nothing is moved or tidied up. A record goes to others that leave after about as long a time, so
 * all of a slab leave at about the same time, and its memory with them.
 */
export class PackedRecords {
  readonly #slabs = new Map<number, Slab>();
  /** Which slab is being filled, by how long its records stay: each up to twice the one before. */
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
    const written = textOf(record);
    if (!written || written.mostBytes > largestBytes) return undefined;
    const { number, slab } = this.#slabFor(record, now, written.mostBytes);
    const step = slab.end;
    if (!append(record, written, slab)) return undefined;
    slab.records += 1;
    return number * slabSteps + step;
  }

  get(place: PackedAt): MemoryRecord {
    return recordIn(this.#slabOf(place), place % slabSteps);
  }

  sequenceOf(place: PackedAt): number {
    return sequenceIn(this.#slabOf(place), place % slabSteps);
  }

  /** Whether it may be forgotten by now, or lose its answer. */
  isDue(place: PackedAt, now: number): boolean {
    return isDueIn(this.#slabOf(place), place % slabSteps, now);
  }

  delete(place: PackedAt): void {
    const slab = this.#slabOf(place);
    // Its slab may stay for long, and nothing that was forgotten may be read there.
    erase(slab, place % slabSteps);
    slab.records -= 1;
    const number = Math.floor(place / slabSteps);
    if (slab.records === 0 && !this.#isFilling(number)) this.#slabs.delete(number);
  }

  #slabOf(place: PackedAt): Slab {
    const slab = this.#slabs.get(Math.floor(place / slabSteps));
    if (!slab) throw new RangeError('Expected the place of a packed record');
    return slab;
  }

  #slabFor(record: MemoryRecord, now: number, bytes: number): { number: number; slab: Slab } {
    const stays = Math.ceil(Math.log2(Math.max(1, changesAt(record) - now)));
    const filling = this.#filling.get(stays);
    if (filling !== undefined) {
      const slab = this.#slabs.get(filling);
      if (slab?.hasRoomFor(bytes)) return { number: filling, slab };
      // Full, and all of it may be gone already.
      if (slab?.records === 0) this.#slabs.delete(filling);
    }
    const number = this.#made++;
    const slab = new Slab();
    this.#slabs.set(number, slab);
    this.#filling.set(stays, number);
    return { number, slab };
  }

  #isFilling(number: number): boolean {
    for (const filling of this.#filling.values()) if (filling === number) return true;
    return false;
  }
}

/** A record that is larger stays as it is. */
const largestBytes = 4_096;

/** When it leaves, or loses its answer and is packed anew. */
function changesAt({ outcome, keyExpiresAt, answerExpiresAt }: MemoryRecord): number {
  if (answerExpiresAt === Infinity) return keyExpiresAt;
  const losesAnswer = outcome !== 'unavailable' && answerExpiresAt < keyExpiresAt;
  return losesAnswer ? answerExpiresAt : Math.max(keyExpiresAt, answerExpiresAt);
}
