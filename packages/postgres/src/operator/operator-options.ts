import type { Database, Queryable } from '../database/database.ts';
import { databaseOf, type PostgresDriver } from '../database/driver.ts';
import type { PgOptions } from '../database/pg-pool.ts';
import { withStatementTimeout } from '../database/with-statement-timeout.ts';
import { timerMs } from '../outbox/check-option.ts';
import type { SchemaOptions } from '../schema.ts';

/** Where the tables are, and how long a statement may take. */
export interface OperatorOptions extends SchemaOptions, PgOptions {
  /**
   * After how long the database gives up a statement, with SQLSTATE 57014.
   *
   * @defaultValue what the database has for this role, which is usually never
   */
  statementTimeoutMs?: number;
}

/** Where an operator's statements go. */
export function operatorDatabase(driver: PostgresDriver, options: OperatorOptions): Queryable {
  const database = databaseOf(driver, options) as Database<unknown>;
  const { statementTimeoutMs } = options;
  if (statementTimeoutMs === undefined) return database;
  return withStatementTimeout(database, timerMs('statementTimeoutMs', statementTimeoutMs));
}
