import { commit, type Queryable } from './database/database.ts';
import { databaseOf, type PostgresDriver } from './database/driver.ts';
import { installedVersion, refuseNewer } from './installed-version.ts';
import { historyTable, migrationLock, statementsOf } from './migration-sql.ts';
import { migrations } from './migrations.ts';
import { layOut } from './partitions/lay-out.ts';
import { type LayoutOptions, resolvePartitions } from './partitions/partition-options.ts';
import { quotedSchema, type SchemaOptions } from './schema.ts';
import { answer, readAnswers } from './sql/answer.ts';
import { waitForLock } from './sql/lock.ts';

export interface MigrateOptions extends SchemaOptions, LayoutOptions {}

/**
 * Creates the tables, or brings them up to date; answers with the names of what ran.
 *
 * One transaction: all of it happens or nothing. Any number of starters may call it at once, and
 * again: the first one does the work, the others wait for it and find nothing left to do. Where
 * nothing is left to do, no right to create anything is needed.
 */
export async function migrate(
  driver: PostgresDriver,
  options: MigrateOptions = {},
): Promise<string[]> {
  const schema = quotedSchema(options);
  const partitions = resolvePartitions(options);
  const {
    kind,
    value,
    over = false,
  } = await unprepared(driver).transaction(async (open) => {
    // First of all: two starters that both see no tables would both create them.
    await waitForLock(open, migrationLock(schema));
    const installed = await installedVersion(open, schema);
    refuseNewer(installed, schema);
    if (installed === 0) await createHistory(open, schema);

    const pending = migrations.slice(installed);
    for (const statement of pending.flatMap((migration) => statementsOf(migration, schema))) {
      await open.query(statement);
    }
    const isAsked = options.partitions !== undefined;
    await layOut(open, schema, { partitions, isNew: installed === 0, isAsked });
    return commit(pending.map(({ name }) => name));
  });
  // Nothing else runs on that connection: what a library calls committed, is.
  if (kind === 'as-asked' || over) return value;
  throw new Error('The commit of a migration was not acknowledged: run migrate() again');
}

/** The names of the migrations that {@link migrate} would run. Changes nothing. */
export async function pendingMigrations(
  driver: PostgresDriver,
  options: SchemaOptions = {},
): Promise<string[]> {
  const schema = quotedSchema(options);
  const installed = await installedVersion(unprepared(driver), schema);
  refuseNewer(installed, schema);
  return migrations.slice(installed).map(({ name }) => name);
}

/** Nothing here is sent twice. */
function unprepared(database: PostgresDriver) {
  return databaseOf(database, { preparedStatements: false });
}

async function createHistory(transaction: Queryable, schema: string): Promise<void> {
  // Asked for, although `create schema if not exists` exists: that needs the right to create
  // schemas even where an administrator has created this one.
  const namespaces = await transaction.query(
    `select ${answer({ exists: 'to_regnamespace($1::text) is not null' })}`,
    [schema],
  );
  if (!readAnswers<{ exists: boolean }>(namespaces)[0]?.exists) {
    await transaction.query(`create schema ${schema}`);
  }
  await transaction.query(historyTable(schema));
}
