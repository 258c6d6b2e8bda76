import type { FencingToken, Lease } from '@onceward/core/store';
import type { MemoryRecord } from './memory-record.ts';

/**
 * A lease that knows its record, which saves looking for it while it is in progress. A record that
 * was taken over has lost its token, so an old lease completes nothing.
 */
export class MemoryLease implements Lease {
  readonly scope: string;
  readonly key: Lease['key'];
  readonly keyTimestampMs: number | null;
  readonly token: FencingToken;
  readonly #record: MemoryRecord;
  readonly #store: object;

  constructor(record: MemoryRecord, store: object) {
    this.scope = record.scope;
    this.key = record.key;
    this.keyTimestampMs = record.keyTimestampMs;
    this.token = record.token;
    this.#record = record;
    this.#store = store;
  }

  /** `undefined` for a copy of a lease, and for that of another store. */
  static recordOf(lease: Lease, store: object): MemoryRecord | undefined {
    return #record in lease && lease.#store === store ? lease.#record : undefined;
  }
}
