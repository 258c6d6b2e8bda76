import type {
  AtomicDecision,
  AtomicResult,
  Completion,
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
  StoreCapabilities,
  StepResult,
  StoreStats,
  SweepReport,
  TakeUnknownRequest,
  TransactionalStore,
  UnknownRecord,
} from '@onceward/core/store';
import type { Database } from './database/database.ts';
import { databaseOf, type PostgresDriver, type TransactionOf } from './database/driver.ts';
import type { PgOptions } from './database/pg-pool.ts';
import { putOff } from './lookups/put-off.ts';
import { revive } from './lookups/revive.ts';
import { takeUnknown } from './lookups/take-unknown.ts';
import { peek } from './peek.ts';
import { RecordRouter } from './partitions/record-router.ts';
import { prune } from './prune.ts';
import { recordAddress, type RecordAddress } from './record-address.ts';
import { oneByOne, type Records } from './records.ts';
import { reserve } from './reserve.ts';
import { quotedSchema, type SchemaOptions } from './schema.ts';
import { doubt } from './sql/doubt.ts';
import { find } from './sql/find.ts';
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
export class PostgresStore<Transaction>
  implements TransactionalStore<Transaction>, ReconcilingStore
{
  readonly name = 'postgres';
  readonly capabilities: StoreCapabilities;
  readonly #database: Database<Transaction>;
  readonly #schema: string;
  readonly #router: RecordRouter;
  readonly #oneByOne: Records;

  constructor(database: Database<Transaction>, options: PostgresStoreOptions = {}) {
    this.#database = database;
    this.#schema = quotedSchema(options);
    this.#router = new RecordRouter(database, this.#schema);
    this.#oneByOne = oneByOne(database);
    const { failoverSafe = false } = options;
    this.capabilities = { transactions: true, durable: database.durable, failoverSafe };
  }

  async verify(): Promise<void> {
    await verify(this.#database, this.#schema);
    await this.#router.refresh();
  }

  reserve(request: ReserveRequest): Promise<Reservation> {
    return this.#at(request, (address, records) => reserve(records, address, request));
  }

  renew(lease: Lease, leaseMs: number): Promise<'renewed' | 'lease-lost'> {
    return this.#at(lease, (address, records) => renew(records, address, { lease, leaseMs }));
  }

  saveProgress(lease: Lease, entry: Uint8Array): Promise<'saved' | 'lease-lost'> {
    return this.#at(lease, (address, records) => saveProgress(records, address, { lease, entry }));
  }

  complete(lease: Lease, completion: Completion): Promise<'completed' | 'lease-lost'> {
    return this.#at(lease, (address, records) => records.complete(address, { lease, completion }));
  }

  release(lease: Lease): Promise<'released' | 'lease-lost'> {
    return this.#at(lease, (address, records) => release(records, address, lease));
  }

  doubt(lease: Lease): Promise<'unknown' | 'lease-lost'> {
    return this.#at(lease, (address, records) => doubt(records, address, lease));
  }

  transact(
    request: ReserveRequest,
    execute: (transaction: Transaction, attempt: number) => Promise<AtomicDecision>,
  ): Promise<AtomicResult> {
    const handler = runsOnce(execute);
    return this.#router.at(
      request,
      (address) => transact(this.#database, { address, request, execute: handler.run }),
      handler.hasNotRun,
    );
  }

  transactStep(
    lease: Lease,
    run: (transaction: Transaction) => Promise<Uint8Array>,
  ): Promise<StepResult> {
    const step = runsOnce(run);
    return this.#router.at(
      lease,
      (address) => transactStep(this.#database, { address, lease, run: step.run }),
      step.hasNotRun,
    );
  }

  peek(request: ReserveRequest): Promise<NotReserved | { kind: 'free' }> {
    return this.#at(request, (address, records) => peek(records, address, request));
  }

  find(name: RecordName): Promise<RecordSummary | undefined> {
    return this.#at(name, (address) => find(this.#database, address, name));
  }

  settle(
    name: RecordName,
    settlement: Settlement,
  ): Promise<'settled' | 'not-unknown' | 'too-soon'> {
    return this.#at(name, (address) =>
      settlement.kind === 'executed'
        ? settleExecuted(this.#database, address, settlement)
        : settleNotExecuted(this.#database, address, settlement),
    );
  }

  async takeUnknown(request: TakeUnknownRequest): Promise<readonly UnknownRecord[]> {
    return takeUnknown(this.#database, this.#schema, request);
  }

  async putOff(taken: UnknownRecord, until: PutOff): Promise<'put-off' | 'lease-lost'> {
    return putOff(this.#database, recordAddress(taken, this.#schema), { taken, until });
  }

  async revive(name: RecordName): Promise<'revived' | 'not-dead'> {
    return revive(this.#database, recordAddress(name, this.#schema));
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

  #at<Value>(
    name: RecordName,
    run: (address: RecordAddress, records: Records) => Promise<Value>,
  ): Promise<Value> {
    const records = this.#database.batches?.for(name.scope) ?? this.#oneByOne;
    return this.#router.at(name, (address) => run(address, records));
  }
}

/** What somebody else wrote is not run a second time because a table of ours was not there. */
function runsOnce<Arguments extends unknown[], Value>(run: (...given: Arguments) => Value) {
  let hasRun = false;
  return {
    run: (...given: Arguments): Value => {
      hasRun = true;
      return run(...given);
    },
    hasNotRun: () => !hasRun,
  };
}
