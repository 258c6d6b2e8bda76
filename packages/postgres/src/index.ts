export type { Database, Ended, Ending, OpenTransaction, Queryable } from './database/database.ts';
export type { PostgresDriver, TransactionOf } from './database/driver.ts';
export type { PgClient, PgOptions, PgPool, PgResult, PgStatement } from './database/pg-pool.ts';
export type { PGliteDatabase, PGliteResult, PGliteTransaction } from './database/pglite.ts';
export { migrate, type MigrateOptions, pendingMigrations } from './migrate.ts';
export { migrationSql, type MigrationSqlOptions } from './migration-sql.ts';
export type { LayoutOptions, PartitionOptions } from './partitions/partition-options.ts';
export { PostgresStore, postgresStore, type PostgresStoreOptions } from './postgres-store.ts';
export type { SchemaOptions } from './schema.ts';
