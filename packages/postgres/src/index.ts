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
export type { PostgresJs } from './database/postgres-js.ts';
export type { PrismaDatabase } from './database/prisma.ts';
export { migrate, pendingMigrations } from './migrate.ts';
export { PostgresStore, postgresStore, type PostgresStoreOptions } from './postgres-store.ts';
export type { SchemaOptions } from './schema.ts';
