import type { RecordName } from '@onceward/core/store';
import type { Queryable } from '../database/database.ts';
import { databaseOf, type PostgresDriver } from '../database/driver.ts';
import type { PgOptions } from '../database/pg-pool.ts';
import { installedVersion } from '../installed-version.ts';
import { migrations } from '../migrations.ts';
import { RecordRouter } from '../partitions/record-router.ts';
import { quotedSchema, type SchemaOptions } from '../schema.ts';
import { bustRecord, type BustRequest, type BustResult } from './bust-record.ts';
import { type ClockReport, compareClocks } from './compare-clocks.ts';
import { type AuditFilter, type AuditPage, listAudit } from './list-audit.ts';
import { listLookups, type LookupFilter, type LookupListing } from './list-lookups.ts';
import { listPartitions, type PartitionList } from './list-partitions.ts';
import { type ListPage, listRecords, type RecordFilter, type RecordList } from './list-records.ts';
import { type RecordDetails, showRecord, type ShowOptions } from './show-record.ts';

export interface PostgresOperatorOptions extends SchemaOptions, PgOptions {}

/**
 * What an operator sees of the records, and may do to them beside `settle` of the store.
 *
 * Asks nobody for permission: whoever may call it may see every key of every tenant.
 *
 * @example
 * ```ts
 * const operator = postgresOperator(pool);
 * const { records } = await operator.list({ state: 'unknown', olderThanMs: 60 * 60_000 });
 * ```
 */
export function postgresOperator(
  driver: PostgresDriver,
  options: PostgresOperatorOptions = {},
): PostgresOperator {
  return new PostgresOperator(databaseOf(driver, options), options);
}

/** See {@link postgresOperator}. */
export class PostgresOperator {
  readonly #database: Queryable;
  readonly #schema: string;
  readonly #router: RecordRouter;

  constructor(database: Queryable, options: SchemaOptions = {}) {
    this.#database = database;
    this.#schema = quotedSchema(options);
    this.#router = new RecordRouter(database, this.#schema);
  }

  /** Lists records page by page, never with their answers. */
  async list(filter: RecordFilter = {}, page: ListPage = {}): Promise<RecordList> {
    return listRecords(this.#database, this.#schema, { filter, page });
  }

  /** One record as a whole, with its answer only if that is asked for. */
  async show(name: RecordName, options: ShowOptions = {}): Promise<RecordDetails | undefined> {
    return this.#router.at(name, (address) =>
      showRecord(this.#database, address, { name, ...options }),
    );
  }

  /** Frees the key of a finished record, so that its next delivery is executed. */
  async bust(name: RecordName, request: BustRequest): Promise<BustResult> {
    for (const option of ['actor', 'reason'] as const) {
      if (typeof request[option] !== 'string' || request[option].trim() === '') {
        throw new TypeError(`Expected \`${option}\` to say who busts a key, and why`);
      }
    }
    return this.#router.at(name, (address) => bustRecord(this.#database, address, request));
  }

  /** Unknown records, and whether somebody is finding out what became of them. */
  async lookups(filter: LookupFilter = {}): Promise<readonly LookupListing[]> {
    return listLookups(this.#database, this.#schema, filter);
  }

  /** What people did, newest first. */
  async audit(filter: AuditFilter = {}): Promise<AuditPage> {
    return listAudit(this.#database, this.#schema, filter);
  }

  async partitions(): Promise<PartitionList> {
    return listPartitions(this.#database, this.#schema);
  }

  /** The database's clock beside ours. */
  async clock(): Promise<ClockReport> {
    return compareClocks(this.#database);
  }

  /** Which migration the tables are at, and which one this release knows. */
  async schemaVersion(): Promise<{ installed: number; known: number }> {
    const installed = await installedVersion(this.#database, this.#schema);
    return { installed, known: migrations.length };
  }
}
