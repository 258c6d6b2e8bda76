import type {
  AtomicDecision,
  AtomicResult,
  Completion,
  Lease,
  MaintenancePage,
  NotReserved,
  PruneReport,
  RecordName,
  RecordSummary,
  Reservation,
  ReserveRequest,
  Settlement,
  StoreCapabilities,
  StepResult,
  StoreStats,
  SweepReport,
  TransactionalStore,
} from '@onceward/core/store';
import type { Database } from './database/database.ts';
import { databaseOf, type PostgresDriver, type TransactionOf } from './database/driver.ts';
import type { PgOptions } from './database/pg-pool.ts';
import { peek } from './peek.ts';
import { type RecordAddress, recordAddress } from './record-address.ts';
import { reserve } from './reserve.ts';
import { quotedSchema, type SchemaOptions } from './schema.ts';
import { complete } from './sql/complete.ts';
import { doubt } from './sql/doubt.ts';
import { find } from './sql/find.ts';
import { prune } from './sql/prune.ts';
import { release } from './sql/release.ts';
import { renew } from './sql/renew.ts';
import { saveProgress } from './sql/save-progress.ts';
import { settleExecuted } from './sql/settle-executed.ts';
import { settleNotExecuted } from './sql/settle-not-executed.ts';
import { stats } from './sql/stats.ts';
import { sweep } from './sql/sweep.ts';
import { transact } from './transact.ts';
import { transactStep } from './transact-step.ts';
import { verify } from './verify.ts';

export interface PostgresStoreOptions extends SchemaOptions, PgOptions {
  /**
   * Your word that an acknowledged commit survives a fail-over, because `synchronous_standby_names`
   * is set and only a synchronous standby is ever promoted.
   *
   * Say it of an asynchronous standby, and a lease that was granted just before a fail-over is
   * granted a second time after it. Mutations with the effect `atomic` do not depend on it: their
   * key and their effect are lost or kept together.
   *
   * @defaultValue `false`
   */
  failoverSafe?: boolean;
}

/**
 * Keeps records in PostgreSQL. Run {@link migrate} first.
 *
 * @example
 * ```ts
 * const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });
 * await migrate(pool);
 * const store = postgresStore(pool);
 * ```
 */
export function postgresStore<Driver extends PostgresDriver>(
  driver: Driver,
  options: PostgresStoreOptions = {},
): PostgresStore<TransactionOf<Driver>> {
  return new PostgresStore(databaseOf(driver, options), options);
}

/** See {@link postgresStore}. */
export class PostgresStore<Transaction> implements TransactionalStore<Transaction> {
  readonly name = 'postgres';
  readonly capabilities: StoreCapabilities;
  readonly #database: Database<Transaction>;
  readonly #schema: string;

  constructor(database: Database<Transaction>, options: PostgresStoreOptions = {}) {
    this.#database = database;
    this.#schema = quotedSchema(options);
    const { failoverSafe = false } = options;
    this.capabilities = { transactions: true, durable: database.durable, failoverSafe };
  }

  verify(): Promise<void> {
    return verify(this.#database, this.#schema);
  }

  async reserve(request: ReserveRequest): Promise<Reservation> {
    return reserve(this.#database, this.#addressOf(request), request);
  }

  async renew(lease: Lease, leaseMs: number): Promise<'renewed' | 'lease-lost'> {
    return renew(this.#database, this.#addressOf(lease), { lease, leaseMs });
  }

  async saveProgress(lease: Lease, entry: Uint8Array): Promise<'saved' | 'lease-lost'> {
    return saveProgress(this.#database, this.#addressOf(lease), { lease, entry });
  }

  async complete(lease: Lease, completion: Completion): Promise<'completed' | 'lease-lost'> {
    return complete(this.#database, this.#addressOf(lease), { lease, completion });
  }

  async release(lease: Lease): Promise<'released' | 'lease-lost'> {
    return release(this.#database, this.#addressOf(lease), lease);
  }

  async doubt(lease: Lease): Promise<'unknown' | 'lease-lost'> {
    return doubt(this.#database, this.#addressOf(lease), lease);
  }

  async transact(
    request: ReserveRequest,
    execute: (transaction: Transaction, attempt: number) => Promise<AtomicDecision>,
  ): Promise<AtomicResult> {
    return transact(this.#database, { address: this.#addressOf(request), request, execute });
  }

  async transactStep(
    lease: Lease,
    run: (transaction: Transaction) => Promise<Uint8Array>,
  ): Promise<StepResult> {
    return transactStep(this.#database, { address: this.#addressOf(lease), lease, run });
  }

  async peek(request: ReserveRequest): Promise<NotReserved | { kind: 'free' }> {
    return peek(this.#database, this.#addressOf(request), request);
  }

  async find(name: RecordName): Promise<RecordSummary | undefined> {
    return find(this.#database, this.#addressOf(name), name);
  }

  async settle(
    name: RecordName,
    settlement: Settlement,
  ): Promise<'settled' | 'not-unknown' | 'too-soon'> {
    const address = this.#addressOf(name);
    return settlement.kind === 'executed'
      ? settleExecuted(this.#database, address, settlement.completion)
      : settleNotExecuted(this.#database, address, settlement.quietMs);
  }

  async sweep(page: MaintenancePage): Promise<SweepReport> {
    return sweep(this.#database, this.#schema, page);
  }

  async prune(page: MaintenancePage): Promise<PruneReport> {
    return prune(this.#database, this.#schema, page);
  }

  async stats(): Promise<StoreStats> {
    return stats(this.#database, this.#schema);
  }

  #addressOf(name: RecordName): RecordAddress {
    return recordAddress(name, this.#schema);
  }
}
