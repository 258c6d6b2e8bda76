import type {
  Awaitable,
  CompletionResult,
  Completion,
  FencingToken,
  Lease,
  MaintenancePage,
  NotReserved,
  PruneReport,
  PutOff,
  ReconcilingStore,
  RecordName,
  RecordSummary,
  Reservation,
  ReserveRequest,
  Settlement,
  StoreStats,
  SweepReport,
  TakeUnknownRequest,
  UnknownRecord,
} from '@onceward/core/store';
import { keptAnswer, outcomeOf } from './kept-answer.ts';
import { LateDigests } from './late-digests.ts';
import { MemoryLease } from './memory-lease.ts';
import { putOffLook, reviveLooks, takeLooks } from './memory-looks.ts';
import { isFor, isStale, type MemoryRecord, newRecord, noLooks, nothing } from './memory-record.ts';
import { type PackingOptions, RecordsByName } from './records-by-name.ts';
import { beginOf, visitPage } from './visit-page.ts';

/** Options of `memoryStore`. */
export interface MemoryStoreOptions {
  /** Milliseconds since 1970: the store's clock. @defaultValue `Date.now` */
  now?: () => number;
}

/** A store in this process, for tests and single processes: a restart forgets every key. */
export function memoryStore(options: MemoryStoreOptions = {}): MemoryStore {
  return new MemoryStore(options);
}

/** See {@link memoryStore}. Every method decides before anything is waited for, so none can race. */
export class MemoryStore implements ReconcilingStore {
  readonly name = 'memory';
  readonly capabilities = { transactions: false, durable: false, failoverSafe: false } as const;
  readonly #records: RecordsByName;
  readonly #digests = new LateDigests();
  readonly #now: () => number;
  #created = 0;

  /** Tests pack at once what is packed some at a time. */
  constructor(options: MemoryStoreOptions = {}, packing?: PackingOptions) {
    this.#records = new RecordsByName(packing);
    // Not read through the global on each call: a caller's idea of the time must not matter.
    this.#now = options.now ?? Date.now.bind(Date);
  }

  async verify(): Promise<void> {}

  reserve(request: ReserveRequest): Awaitable<Reservation> {
    const now = this.#now();
    const record = this.#records.get(request);
    const refusal = this.#refusal(request, record, now);
    if (record?.token === request.token && refusal?.kind !== 'mismatch') {
      if (record.state === 'in-progress') return this.#reserved(record);
      // It was given back: whoever held it may still believe in it.
      if (record.state === 'released') return { kind: 'in-progress', retryAfterMs: 1 };
    }
    if (refusal) {
      if (refusal.kind === 'unknown' && record) this.#becomeUnknown(record);
      return refusal;
    }

    const next = newRecord(request, { now, sequence: this.#created++ }, record);
    if (record) record.token = noToken;
    this.#records.set(request, next);
    this.#digests.add(next);
    return this.#reserved(next);
  }

  async peek(request: ReserveRequest): Promise<NotReserved | { kind: 'free' }> {
    const record = this.#records.get(request);
    return this.#refusal(request, record, this.#now()) ?? { kind: 'free' };
  }

  async renew(lease: Lease, leaseMs: number): Promise<'renewed' | 'lease-lost'> {
    const record = this.#heldBy(lease);
    if (!record || isStale(record, this.#now())) return 'lease-lost';
    record.leaseExpiresAt = this.#now() + leaseMs;
    return 'renewed';
  }

  async saveProgress(lease: Lease, entry: Uint8Array): Promise<'saved' | 'lease-lost'> {
    const record = this.#heldBy(lease);
    if (!record) return 'lease-lost';
    const joined = new Uint8Array(record.progress.length + entry.length);
    joined.set(record.progress);
    joined.set(entry, record.progress.length);
    record.progress = joined;
    return 'saved';
  }

  complete(lease: Lease, completion: Completion): Awaitable<CompletionResult> {
    const record = this.#recordOf(lease);
    if (record?.token !== lease.token || record.state === 'released') return 'lease-lost';
    if (record.state !== 'completed') this.#become(record, completion);
    return 'completed';
  }

  async release(lease: Lease): Promise<'released' | 'lease-lost'> {
    const record = this.#heldBy(lease);
    if (!record) return 'lease-lost';
    record.state = 'released';
    return 'released';
  }

  async doubt(lease: Lease): Promise<'unknown' | 'lease-lost'> {
    const record = this.#records.get(lease);
    if (record?.token !== lease.token) return 'lease-lost';
    if (record.state !== 'in-progress' && record.state !== 'unknown') return 'lease-lost';
    this.#becomeUnknown(record);
    return 'unknown';
  }

  async find(name: RecordName): Promise<RecordSummary | undefined> {
    const record = this.#records.get(name);
    if (!record) return undefined;
    const { state, operation, attempt, leaseExpiresAt, unknownSince } = record;
    const { scope, key, keyTimestampMs } = name;
    return {
      ...{ scope, key, keyTimestampMs, state, operation, attempt },
      ...(state === 'in-progress' ? { leaseExpiresAt } : {}),
      ...(state === 'unknown' ? { unknownSince } : {}),
    };
  }

  async settle(
    name: RecordName,
    settlement: Settlement,
  ): Promise<'settled' | 'not-unknown' | 'too-soon'> {
    const record = this.#records.get(name);
    if (record?.state !== 'unknown') return 'not-unknown';
    const { attempt = record.attempt } = settlement;
    if (attempt !== record.attempt) return 'not-unknown';
    if (settlement.kind === 'executed') {
      // Nobody's: to a late holder the outcome would look like its own.
      record.token = noToken;
      this.#become(record, settlement.completion);
      return 'settled';
    }
    if (this.#now() < record.unknownSince + settlement.quietMs) return 'too-soon';
    record.state = 'released';
    return 'settled';
  }

  async takeUnknown(request: TakeUnknownRequest): Promise<readonly UnknownRecord[]> {
    return takeLooks(this.#records.unpacked(), request, this.#now());
  }

  async putOff(taken: UnknownRecord, until: PutOff): Promise<'put-off' | 'lease-lost'> {
    return putOffLook(this.#records.get(taken), taken, { until, now: this.#now() });
  }

  async revive(name: RecordName): Promise<'revived' | 'not-dead'> {
    return reviveLooks(this.#records.get(name));
  }

  async sweep(page: MaintenancePage): Promise<SweepReport> {
    const now = this.#now();
    let released = 0;
    let unknown = 0;
    const records = this.#records.unpacked(beginOf(page));
    const next = visitPage(records, page, (record) => {
      if (record.state !== 'in-progress' || !isStale(record, now)) return;
      if (record.onStaleLease === 'unknown') {
        this.#becomeUnknown(record);
        unknown++;
      } else {
        record.state = 'released';
        released++;
      }
    });
    return { cursor: next, released, unknown };
  }

  async prune(page: MaintenancePage): Promise<PruneReport> {
    const now = this.#now();
    let pruned = 0;
    let answersDropped = 0;
    const next = visitPage(this.#records.due(now, beginOf(page)), page, (record) => {
      const settled = record.state === 'completed' || record.state === 'released';
      if (settled && record.keyExpiresAt < now && !this.#keepsAnswer(record)) {
        this.#records.delete(record);
        pruned++;
      } else if (this.#dropExpiredAnswer(record)) {
        answersDropped++;
      }
    });
    return { cursor: next, pruned, answersDropped };
  }

  async stats(): Promise<StoreStats> {
    const completed = this.#records.packedCount;
    const records = { 'in-progress': 0, released: 0, completed, unknown: 0 };
    let staleLeases = 0;
    for (const record of this.#records.unpacked()) {
      records[record.state]++;
      if (record.state === 'in-progress' && isStale(record, this.#now())) staleLeases++;
    }
    return { records, staleLeases };
  }

  /** Why the right to execute is not granted; `undefined` when it is. Changes no state of a record. */
  #refusal(
    request: ReserveRequest,
    record: MemoryRecord | undefined,
    now: number,
  ): NotReserved | undefined {
    if (!record) {
      const { keyTimestampMs, keyRetentionMs } = request;
      const expired = keyTimestampMs !== null && keyTimestampMs < now - keyRetentionMs;
      return expired ? { kind: 'expired' } : undefined;
    }
    // Before any other question: a different input learns nothing and changes nothing.
    if (!isFor(record, request.fingerprint)) {
      return { kind: 'mismatch', fingerprintVersion: record.fingerprintVersion };
    }
    switch (record.state) {
      case 'completed':
        return this.#replay(record);
      case 'unknown':
        return { kind: 'unknown' };
      case 'released':
        return undefined;
      case 'in-progress':
        if (!isStale(record, now)) {
          return { kind: 'in-progress', retryAfterMs: record.leaseExpiresAt - now };
        }
        return record.onStaleLease === 'unknown' || request.onStaleLease === 'unknown'
          ? { kind: 'unknown' }
          : undefined;
    }
  }

  #replay(record: MemoryRecord): NotReserved {
    this.#dropExpiredAnswer(record);
    const { answerExpiresAt } = record;
    return { kind: 'completed', outcome: outcomeOf(record), answerExpiresAt };
  }

  /** An intent that was completed late is remembered for as long as its answer was promised. */
  #keepsAnswer({ state, answerExpiresAt }: MemoryRecord): boolean {
    if (state !== 'completed' || answerExpiresAt === Infinity) return false;
    return answerExpiresAt >= this.#now();
  }

  #dropExpiredAnswer(record: MemoryRecord): boolean {
    if (record.state !== 'completed' || record.outcome === 'unavailable') return false;
    const now = this.#now();
    if (record.answerExpiresAt >= now) return false;
    [record.outcome, record.answer] = ['unavailable', 'expired'];
    this.#records.set(record, record);
    this.#records.pack(record, now);
    return true;
  }

  #reserved(record: MemoryRecord): Reservation {
    const { attempt, progress } = record;
    return { kind: 'reserved', lease: new MemoryLease(record, this), attempt, progress };
  }

  /** Nothing of it may change afterwards: it may be packed by then. */
  #become(record: MemoryRecord, { outcome, answerRetentionMs }: Completion): void {
    const now = this.#now();
    record.state = 'completed';
    record.outcome = outcome.kind;
    record.answer = outcome.kind === 'unavailable' ? outcome.reason : keptAnswer(outcome.answer);
    record.answerExpiresAt = now + answerRetentionMs;
    record.progress = nothing;
    record.looks = noLooks;
    this.#records.pack(record, now);
  }

  #becomeUnknown(record: MemoryRecord): void {
    if (record.state === 'unknown') return;
    record.state = 'unknown';
    record.unknownSince = this.#now();
    record.looks = noLooks;
  }

  /** A lease knows its record while that is in progress. Later it may have been packed, or forgotten. */
  #recordOf(lease: Lease): MemoryRecord | undefined {
    const record = MemoryLease.recordOf(lease, this);
    return record?.state === 'in-progress' ? record : this.#records.get(lease);
  }

  #heldBy(lease: Lease): MemoryRecord | undefined {
    const record = this.#records.get(lease);
    return record?.state === 'in-progress' && record.token === lease.token ? record : undefined;
  }
}

const noToken: FencingToken = '0'.repeat(32);
