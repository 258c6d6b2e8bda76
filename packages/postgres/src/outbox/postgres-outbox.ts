import type { IdempotencyKey } from '@onceward/core';
import type { Database } from '../database/database.ts';
import { databaseOf, type PostgresDriver, type TransactionOf } from '../database/driver.ts';
import type { PgOptions } from '../database/pg-pool.ts';
import { quotedSchema, type SchemaOptions } from '../schema.ts';
import { type JobChecker, jobChecker, type JobOptions } from './new-job.ts';
import { queryableIn } from '../database/driver.ts';
import { type Listener, listenerOf, maxConnectionsOf } from './relay/listener.ts';
import { addJob } from './sql/add-job.ts';
import type { InputOf, TaskName, Tasks } from './task.ts';

/** Where jobs are written to, ours or another queue. */
export interface Outbox<Named extends Tasks, Transaction> {
  /**
   * Writes a job in a transaction of yours: it exists exactly if that commits.
   *
   * The same call of the same intent writes the same job, however often the intent is attempted.
   */
  enqueue<Name extends TaskName<Named>>(
    tx: Transaction,
    task: Name,
    payload: InputOf<Named[Name]>,
  ): Promise<Enqueued>;
}

/** What enqueueing came to. */
export interface Enqueued {
  /** `already-enqueued`: by an earlier attempt of the same intent. Its payload stays. */
  readonly kind: 'enqueued' | 'already-enqueued';
  /** The job's own key, which its handler hands on to whoever it calls. */
  readonly key: IdempotencyKey;
}

export interface PostgresOutboxOptions<Named extends Tasks>
  extends JobOptions<Named>, SchemaOptions, PgOptions {
  /**
   * Wakes relays when the transaction commits. PostgreSQL commits transactions that notify one after
   * the other; where that is too slow, switch it off, and relays find jobs when they look.
   *
   * @defaultValue `true`
   */
  notify?: boolean;
}

/**
 * Keeps jobs in PostgreSQL until a relay has run them. Run `migrate` first.
 *
 * @example
 * ```ts
 * const outbox = postgresOutbox(pool, { tasks: { 'send-receipt': task<{ paymentId: string }>() } });
 * await outbox.enqueue(tx, 'send-receipt', { paymentId });
 * ```
 */
export function postgresOutbox<Driver extends PostgresDriver, Named extends Tasks>(
  driver: Driver,
  options: PostgresOutboxOptions<Named>,
): PostgresOutbox<Named, TransactionOf<Driver>> {
  return new PostgresOutbox(driver, options);
}

/** See {@link postgresOutbox}. */
export class PostgresOutbox<Named extends Tasks, Transaction> implements Outbox<
  Named,
  Transaction
> {
  readonly tasks: Named;
  /** For relays. */
  readonly database: Database<Transaction>;
  /** For relays: quoted. */
  readonly schema: string;
  /** For relays; absent where nobody can listen. */
  readonly listener: Listener | undefined;
  /** For relays; absent where the driver does not say. */
  readonly maxConnections: number | undefined;
  readonly #driver: PostgresDriver;
  readonly #checker: JobChecker<Named>;
  readonly #notify: boolean;

  constructor(driver: PostgresDriver, options: PostgresOutboxOptions<Named>) {
    this.tasks = options.tasks;
    this.database = databaseOf(driver, options) as unknown as Database<Transaction>;
    this.schema = quotedSchema(options);
    this.listener = listenerOf(driver);
    this.maxConnections = maxConnectionsOf(driver);
    this.#driver = driver;
    this.#checker = jobChecker(options);
    this.#notify = options.notify ?? true;
  }

  async enqueue<Name extends TaskName<Named>>(
    tx: Transaction,
    task: Name,
    payload: InputOf<Named[Name]>,
  ): Promise<Enqueued> {
    refuseDriver(tx, this.#driver);
    const transaction = queryableIn(tx);
    const job = await this.#checker.check(task, payload);
    const kind = await addJob(transaction, job, { schema: this.schema, notify: this.#notify });
    return { kind, key: job.key };
  }
}

/** A job written through the pool would be committed at once, whatever becomes of the rest. */
export function refuseDriver(tx: unknown, driver: unknown): void {
  if (tx !== driver) return;
  throw new TypeError('Expected `tx` to be an open transaction, got the driver it is opened with');
}
