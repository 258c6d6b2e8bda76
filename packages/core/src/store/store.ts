import type { Awaitable } from './awaitable.ts';
import type { Lease, RecordName, RecordState, RecordSummary } from './record.ts';
import type { Completion, NotReserved, Reservation, ReserveRequest } from './reservation.ts';

/**
 * The port between the engine and a database.
 *
 *            reserve()                                complete()
 *   absent ─────────────▶ in-progress(token) ─────────────────────▶ completed ──▶ pruned
 *                          │  ▲        │                               ▲
 *                release() │  │reserve()│ doubt(), or the lease ran out │ settle(): it happened,
 *                          ▼  │        ▼ under the policy `unknown`     │ or complete() by the
 *                       released     unknown ──────────────────────────┘ holder of the token
 *                          ▲            │
 *                          └────────────┘ settle(): it provably did not happen
 *
 * An implementation must guarantee, and `@onceward/conformance` checks, that:
 *
 *  1. of any number of concurrent `reserve` calls for one record, at most one is `reserved`;
 *  2. `renew`, `saveProgress`, `complete`, `release` and `doubt` change nothing unless the lease's
 *     token is the record's current one; a released or superseded token is never current again;
 *  3. once `completed`, a record answers with the same outcome, byte for byte, until its answer
 *     expires, and with `unavailable` after that, until it is pruned;
 *  4. the fingerprint is compared before anything else: a different one is a `mismatch` in every
 *     state, and changes nothing;
 *  5. a lease that ran out is granted to the next attempt when both the record's policy and the
 *     request's are `re-execute`; otherwise the record becomes `unknown`;
 *  6. an `unknown` record is never `reserved`; it leaves that state by `settle`, or by `complete`
 *     with the token it still holds; once it is settled, no token is the record's;
 *  7. a UUID v7 key older than its retention that has no record is `expired`, never `reserved`;
 *  8. records whose key may still be presented, and records that are in progress or unknown, are
 *     never pruned; age counts from the key's own time, not from the row's;
 *  9. records of two scopes never meet, not even under one key;
 * 10. leases run by the store's clock, never by the caller's;
 * 11. `reserve` repeated with a token that holds the lease is `reserved` again, and `complete`
 *     repeated with the same token is `completed` again: a caller whose answer was lost may ask
 *     twice;
 * 12. answers and progress are bytes: empty, large, and containing NUL or invalid UTF-8; an answer
 *     that is given as a text comes back as its bytes in UTF-8.
 *
 * Methods reject only when the store itself is unwell. Expected answers are values. A store that has
 * nothing to wait for may answer `reserve` and `complete` without a promise, and throw instead of
 * rejecting.
 */
export interface Store {
  /** For messages and metrics: `postgres`, `redis`, `memory`. */
  readonly name: string;
  readonly capabilities: StoreCapabilities;

  /** Rejects, naming what to change, when this store is set up in a way that breaks a promise. */
  verify(): Promise<void>;

  reserve(request: ReserveRequest): Awaitable<Reservation>;
  /** Extends a lease that has not run out. */
  renew(lease: Lease, leaseMs: number): Promise<'renewed' | 'lease-lost'>;
  /**
   * Appends to what the next attempt will get as `progress`.
   *
   * Unlike the others it is not safe to repeat: a driver that sends it twice appends twice, so
   * entries must bear being read twice.
   */
  saveProgress(lease: Lease, entry: Uint8Array): Promise<'saved' | 'lease-lost'>;
  /** Stores the outcome. Also allowed to a holder that is late but was not superseded. */
  complete(lease: Lease, completion: Completion): Awaitable<CompletionResult>;
  /** Gives the right back: it provably did not take effect. */
  release(lease: Lease): Promise<'released' | 'lease-lost'>;
  /** Admits that it may have taken effect. */
  doubt(lease: Lease): Promise<'unknown' | 'lease-lost'>;

  /** What `reserve` would answer, without reserving; `free` when it would grant the lease. */
  peek(request: ReserveRequest): Promise<NotReserved | { readonly kind: 'free' }>;
  /** A record's state for operators, whatever its fingerprint. */
  find(name: RecordName): Promise<RecordSummary | undefined>;
  /** Moves an `unknown` record on evidence. */
  settle(name: RecordName, settlement: Settlement): Promise<'settled' | 'not-unknown' | 'too-soon'>;

  /** Frees, or marks as unknown, one page of records whose lease ran out. */
  sweep(page: MaintenancePage): Promise<SweepReport>;
  /** Deletes one page of records past their key's retention, and answers past theirs. */
  prune(page: MaintenancePage): Promise<PruneReport>;
  stats(): Promise<StoreStats>;
}

/** Whether an outcome was stored. `lease-lost`: the attempt was superseded or given back. */
export type CompletionResult = 'completed' | 'lease-lost';

/** What a store can promise; the engine refuses mutations that need more. */
export interface StoreCapabilities {
  /** Has {@link TransactionalStore.transact}: key and effect commit together. */
  readonly transactions: boolean;
  /** An acknowledged write survives a crash of the store. */
  readonly durable: boolean;
  /** An acknowledged write survives a fail-over to a replica. */
  readonly failoverSafe: boolean;
}

/**
 * A store that can complete a record in the transaction of the effect itself.
 *
 * 13. `transact` grants `execute` at most once at a time per record, and runs it only where
 *     `reserve` would be `reserved`;
 * 14. effects written through the transaction exist exactly if the record is completed;
 * 15. when the fate of a commit is not known, the record is read again; it is never guessed;
 * 16. effects that `transactStep` wrote through its transaction exist exactly if its entry is part
 *     of the record's progress, and nothing of them does once the lease was lost.
 */
export interface TransactionalStore<Transaction> extends Store {
  transact(
    request: ReserveRequest,
    execute: (transaction: Transaction, attempt: number) => Promise<AtomicDecision>,
  ): Promise<AtomicResult>;
  /**
   * Runs one step of a leased mutation in a transaction that also appends to its progress, what
   * `run` resolves with. When `run` rejects, rolls back and rejects with that very error.
   */
  transactStep(
    lease: Lease,
    run: (transaction: Transaction) => Promise<Uint8Array>,
  ): Promise<StepResult>;
}

/** How the transaction of a step ended. */
export type StepResult =
  | { readonly kind: 'saved' }
  /** The lease is somebody else's, and nothing of the step remains. */
  | { readonly kind: 'lease-lost' }
  /** Nothing of the step remains, because of this: the database refused to commit it. */
  | { readonly kind: 'rolled-back'; readonly cause: unknown };

/** What to do with the transaction after the handler ran. */
export type AtomicDecision =
  /** Commit the effects and this completion together. */
  | { readonly kind: 'commit'; readonly completion: Completion }
  /** Undo the effects, and store this completion: a business failure that is replayed. */
  | { readonly kind: 'discard'; readonly completion: Completion }
  /** Undo the effects, and leave no trace: the next attempt executes again. */
  | { readonly kind: 'roll-back' }
  /** As `roll-back`, and never use this connection again: the handler did not stop. */
  | { readonly kind: 'abandon' };

/** How a transaction ended that a handler ran in. */
export type AtomicResult =
  | { readonly kind: 'committed' }
  | {
      /** Nothing of this attempt remains, whether it asked for that or the commit failed. */
      readonly kind: 'rolled-back';
      /** What the database objected to, when it was asked to commit; absent when it was not. */
      readonly cause?: unknown;
    }
  | NotReserved;

/** What evidence says about an unknown outcome. */
export type Settlement = (
  | {
      /** Evidence says that it took effect. */
      readonly kind: 'executed';
      readonly completion: Completion;
    }
  | {
      /**
       * Evidence says that it did not, and `quietMs` have passed since the record became unknown:
       * long enough that no old holder can still act. Nor can one complete it afterwards.
       */
      readonly kind: 'not-executed';
      readonly quietMs: number;
    }
) & {
  /**
   * The attempt that the evidence is about. Should a later one be unknown by now, it says nothing
   * of that, and nothing is settled.
   */
  readonly attempt?: number | undefined;
  readonly audit?: Audit | undefined;
};

/**
 * Who decides about a record, and why.
 *
 * A store that keeps an audit trail writes it down together with the change, or neither: Postgres
 * does. Others ignore it.
 */
export interface Audit {
  /** A person, or the name of a program. @defaultValue `'application'` */
  readonly actor?: string | undefined;
  /** What was found where, as JSON. Kept for longer than the record: no secrets. */
  readonly evidence?: unknown;
}

/** Maintenance goes through a store page by page, so that no call holds it for long. */
export interface MaintenancePage {
  /** About this many records are looked at. */
  readonly limit: number;
  /** From the last report; absent to start from the beginning. */
  readonly cursor?: string | undefined;
}

/** What became of the leases that had run out. */
export interface SweepReport {
  /** Where to go on; absent when every record has been looked at. */
  readonly cursor?: string | undefined;
  /** Leases that ran out and may be executed again. */
  readonly released: number;
  /** Leases that ran out and became unknown. */
  readonly unknown: number;
}

/** How much pruning has removed. */
export interface PruneReport {
  readonly cursor?: string | undefined;
  /** Records deleted. */
  readonly pruned: number;
  /** Answers dropped from records that stay. */
  readonly answersDropped: number;
}

/** How many records there are, by their state. */
export interface StoreStats {
  readonly records: Readonly<Record<RecordState, number>>;
  /** Leases that have run out and were not swept yet. */
  readonly staleLeases: number;
}
