import type { IdempotencyKey } from '@onceward/core';
import type { OutputOf, Tasks } from '../task.ts';

/** What a handler is given. */
export interface Job<Payload> {
  readonly payload: Payload;
  /**
   * The job's own key, the same on every attempt: hand it on to services that take idempotency keys.
   * Calls through a client of this kit carry one derived from it by themselves.
   */
  readonly key: IdempotencyKey;
  /** 1 for the first. */
  readonly attempt: number;
  /** Aborted when the lease was lost, the time is up, or the relay stops. */
  readonly signal: AbortSignal;
}

export interface TransactionalJob<Payload, Transaction> extends Job<Payload> {
  /** Its COMMIT also marks the job as done. It is not yours to commit. */
  readonly tx: Transaction;
}

/** Options of one handler, where those of its relay do not fit. */
export interface HandlerOptions {
  /** @defaultValue `maxAttempts` of the relay */
  maxAttempts?: number;
  /** @defaultValue `timeLimitMs` of the relay */
  timeLimitMs?: number;
  /** Whether trying again could help after this error. @defaultValue always */
  retry?: (error: unknown) => boolean;
}

/** Calls something outside. It happens at least once: hand `key` on, and it happens once. */
export interface OutsideHandler<Payload> extends HandlerOptions {
  run: (job: Job<Payload>) => unknown;
  transaction?: undefined;
}

/** Writes to the database of the outbox through `tx`: that happens exactly once. */
export interface TransactionalHandler<Payload, Transaction> extends HandlerOptions {
  transaction: (job: TransactionalJob<Payload, Transaction>) => unknown;
  run?: undefined;
}

/** A function alone is one that calls something outside. */
export type JobHandler<Payload, Transaction> =
  | ((job: Job<Payload>) => unknown)
  | OutsideHandler<Payload>
  | TransactionalHandler<Payload, Transaction>;

/** Handlers by the names of their tasks. Jobs of other tasks are left to other relays. */
export type JobHandlers<Named extends Tasks, Transaction> = {
  readonly [Name in keyof Named]?: JobHandler<OutputOf<Named[Name]>, Transaction>;
};
