export type {
  Database,
  Ended,
  Ending,
  OpenTransaction,
  Queryable,
  RunTransaction,
  Statement,
} from './database/database.ts';
export type { PostgresDriver, TransactionOf } from './database/driver.ts';
export type { DrizzleDatabase } from './database/drizzle.ts';
export type { KnexDatabase } from './database/knex.ts';
export type { KyselyDatabase } from './database/kysely.ts';
export type { PgClient, PgOptions, PgPool, PgResult, PgStatement } from './database/pg-pool.ts';
export type { PGliteDatabase, PGliteResult, PGliteTransaction } from './database/pglite.ts';
export { migrate, type MigrateOptions, pendingMigrations } from './migrate.ts';
export { migrationSql, type MigrationSqlOptions } from './migration-sql.ts';
export type { BustRequest, BustResult } from './operator/bust-record.ts';
export type { LookupCount } from './operator/count-lookups.ts';
export type { ClockReport } from './operator/compare-clocks.ts';
export type { Activity, ActivityRequest, KeyCounts } from './operator/list-activity.ts';
export type { AuditEntry, AuditFilter, AuditPage } from './operator/list-audit.ts';
export type { LeaseMargin, LeaseMarginRequest } from './operator/list-lease-margins.ts';
export type { MissingRight } from './operator/list-missing-rights.ts';
export type { Neglected } from './operator/list-neglected.ts';
export type { LookupFilter, LookupListing } from './operator/list-lookups.ts';
export type { PartitionList, PartitionListing } from './operator/list-partitions.ts';
export type { ListPage, RecordFilter, RecordList } from './operator/list-records.ts';
export type { Slow, SlowRequest } from './operator/list-slow.ts';
export type { Sample } from './operator/newest-records.ts';
export type { OperatorOptions } from './operator/operator-options.ts';
export {
  PostgresOperator,
  postgresOperator,
  type PostgresOperatorOptions,
} from './operator/postgres-operator.ts';
export type { RecordListing } from './operator/record-listing.ts';
export type { RecordDetails, ShowOptions } from './operator/show-record.ts';
export type { LayoutOptions, PartitionOptions } from './partitions/partition-options.ts';
export type { PostgresJs } from './database/postgres-js.ts';
export type { PrismaDatabase } from './database/prisma.ts';
export { PostgresStore, postgresStore, type PostgresStoreOptions } from './postgres-store.ts';
export type { SchemaOptions } from './schema.ts';
