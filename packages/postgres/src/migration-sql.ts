import { type Migration, migrations } from './migrations.ts';
import { layOutSql } from './partitions/lay-out.ts';
import { type LayoutOptions, resolvePartitions } from './partitions/partition-options.ts';
import { advisoryLock } from './record-address.ts';
import { quotedSchema, type SchemaOptions } from './schema.ts';

export interface MigrationSqlOptions extends SchemaOptions, LayoutOptions {
  /** The number of the last migration that has run. @defaultValue `0` */
  installed?: number;
}

/**
 * What `migrate` runs, as a script to read, or to hand to a tool of yours.
 *
 * Run it once: `migrate` looks first, and a script does not.
 */
export function migrationSql(options: MigrationSqlOptions = {}): string {
  const { installed = 0 } = options;
  const schema = quotedSchema(options);
  const statements = [
    'begin',
    `select pg_advisory_xact_lock(${migrationLock(schema)})`,
    ...(installed === 0 ? [`create schema if not exists ${schema}`, historyTable(schema)] : []),
    ...migrations.slice(installed).flatMap((migration) => statementsOf(migration, schema)),
    ...(installed === 0 ? layOutSql(schema, resolvePartitions(options)) : []),
    'commit',
  ];
  return statements.map((statement) => `${statement.replace(/;$/, '')};\n`).join('\n');
}

/** Records that a migration ran, and then runs it: two starters collide at its first statement. */
export function statementsOf({ version, name, statements }: Migration, schema: string): string[] {
  return [
    `insert into ${schema}."migrations" (version, name) values (${version}, '${name}')`,
    ...statements.map((statement) => statement.replaceAll(':SCHEMA', schema)),
  ];
}

export function historyTable(schema: string): string {
  return `create table if not exists ${schema}."migrations" (
  version    integer     primary key,
  name       text        not null,
  applied_at timestamptz not null default clock_timestamp()
)`;
}

export function migrationLock(schema: string): string {
  return advisoryLock(`migrate ${schema}`);
}
