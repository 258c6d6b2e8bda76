import type { IdempotencyKey } from '@onceward/core';
import type { RecordName } from '@onceward/core/store';
import type { Queryable } from '../database/database.ts';
import type { PostgresDriver } from '../database/driver.ts';
import { installedVersion } from '../installed-version.ts';
import { migrations } from '../migrations.ts';
import { RecordRouter } from '../partitions/record-router.ts';
import { quotedSchema, type SchemaOptions } from '../schema.ts';
import { bustRecord, type BustRequest, type BustResult } from './bust-record.ts';
import { type ClockReport, compareClocks } from './compare-clocks.ts';
import { countLookups, type LookupCount } from './count-lookups.ts';
import { findById } from './find-by-id.ts';
import { findByKey } from './find-by-key.ts';
import { type Activity, type ActivityRequest, listActivity } from './list-activity.ts';
import { type AuditFilter, type AuditPage, listAudit } from './list-audit.ts';
import {
  type LeaseMargin,
  type LeaseMarginRequest,
  listLeaseMargins,
} from './list-lease-margins.ts';
import { listMissingRights, type MissingRight } from './list-missing-rights.ts';
import { listNeglected, type Neglected } from './list-neglected.ts';
import { listLookups, type LookupFilter, type LookupListing } from './list-lookups.ts';
import { listPartitions, type PartitionList } from './list-partitions.ts';
import { type ListPage, listRecords, type RecordFilter, type RecordList } from './list-records.ts';
import { listSlow, type Slow, type SlowRequest } from './list-slow.ts';
import { operatorDatabase, type OperatorOptions } from './operator-options.ts';
import type { RecordListing } from './record-listing.ts';
import { type RecordDetails, showRecord, type ShowOptions } from './show-record.ts';

/** The options of `postgresOperator`. */
export type PostgresOperatorOptions = OperatorOptions;

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
  return new PostgresOperator(operatorDatabase(driver, options), options);
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

  /** The records of one key in every scope, never with their answers; at most 100. */
  async findByKey(key: IdempotencyKey): Promise<readonly RecordListing[]> {
    return findByKey(this.#database, this.#schema, key);
  }

  /** The record with this id, never with its answer. */
  async findById(recordId: string): Promise<RecordListing | undefined> {
    return findById(this.#database, this.#schema, recordId);
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

  /** How many records are unknown. */
  async lookupCounts(): Promise<readonly LookupCount[]> {
    return countLookups(this.#database, this.#schema);
  }

  /** How many keys were minted when, and what became of them. Reads a sample of the newest. */
  async activity(request: ActivityRequest): Promise<Activity> {
    return listActivity(this.#database, this.#schema, request);
  }

  /** The keys that took, or take, longest. Reads a sample of the newest. */
  async slow(request: SlowRequest): Promise<Slow> {
    return listSlow(this.#database, this.#schema, request);
  }

  /** What people did, newest first. */
  async audit(filter: AuditFilter = {}): Promise<AuditPage> {
    return listAudit(this.#database, this.#schema, filter);
  }

  async partitions(): Promise<PartitionList> {
    return listPartitions(this.#database, this.#schema);
  }

  /** What waits for a sweep, or for somebody to settle it. Reads every record. */
  async neglected(): Promise<Neglected> {
    return listNeglected(this.#database, this.#schema);
  }

  /** By operation: how much was left of the leases of what completed. */
  async leaseMargins(request: LeaseMarginRequest): Promise<readonly LeaseMargin[]> {
    return listLeaseMargins(this.#database, this.#schema, request);
  }

  /** What a role lacks to keep records here. @defaultValue the role of this connection */
  async missingRights(role?: string): Promise<readonly MissingRight[]> {
    return listMissingRights(this.#database, this.#schema, role);
  }

  /** The database's clock beside ours. */
  async clock(now?: () => number): Promise<ClockReport> {
    return compareClocks(this.#database, now);
  }

  /** Which migration the tables are at, and which one this release knows. */
  async schemaVersion(): Promise<{ installed: number; known: number }> {
    const installed = await installedVersion(this.#database, this.#schema);
    return { installed, known: migrations.length };
  }
}
