import { readdirSync, readFileSync } from 'node:fs';
import type pg from 'pg';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { newSchemaName, openPool } from '../test/open-schema.ts';
import { migrate, pendingMigrations } from './migrate.ts';
import { migrationSql } from './migration-sql.ts';
import { migrations } from './migrations.ts';
import { postgresStore } from './postgres-store.ts';

const names = migrations.map(({ name }) => name);

describe('migrating', () => {
  test('twenty starters on an empty database install it once, and none fails', async () => {
    await using database = await openEmptyDatabase();
    const pools = Array.from({ length: 20 }, () => openPool({ ...database.config, max: 1 }));
    onTestFinished(() => Promise.all(pools.map((pool) => pool.end())).then(() => undefined));
    // All of them, also when one fails: the database is dropped after this.
    const runs = await Promise.allSettled(pools.map((pool) => migrate(pool)));
    expect(runs.filter(({ status }) => status === 'rejected')).toEqual([]);
    expect(runs.flatMap((run) => (run.status === 'fulfilled' ? run.value : []))).toEqual(names);
    await postgresStore(database.pool).verify();
  });

  test('a second run finds nothing to do', async () => {
    await using database = await openEmptyDatabase();
    expect(await pendingMigrations(database.pool)).toEqual(names);
    expect(await migrate(database.pool)).toEqual(names);
    expect(await migrate(database.pool)).toEqual([]);
    expect(await pendingMigrations(database.pool)).toEqual([]);
  });

  test('a run that fails leaves nothing behind', async () => {
    await using database = await openEmptyDatabase();
    await database.pool.query('create schema onceward');
    await database.pool.query('create table onceward.opaque_records ()');
    await expect(migrate(database.pool)).rejects.toThrow();
    expect(await pendingMigrations(database.pool)).toEqual(names);
    await database.pool.query('drop table onceward.opaque_records');
    expect(await migrate(database.pool)).toEqual(names);
  });

  test('a role that may create nothing can run it where nothing is left to do', async () => {
    await using database = await openEmptyDatabase();
    const { pool } = database;
    await migrate(pool);
    const role = newSchemaName();
    await pool.query(`create role "${role}" login`);
    onTestFinished(async () => {
      await using admin = openPool({ max: 1 });
      await admin.query(`drop role "${role}"`);
    });
    await pool.query(`select onceward.grant_to($1)`, [role]);
    const url = new URL(database.config.connectionString);
    url.username = role;
    await using limited = openPool({ connectionString: url.href, max: 1 });
    expect(await migrate(limited)).toEqual([]);
    await postgresStore(limited).verify();
    await pool.query(`drop owned by "${role}"`);
  });

  test('tables of a later release are refused, by migrating and by verifying', async () => {
    await using pool = openPool({ max: 1 });
    const schema = newSchemaName();
    await migrate(pool, { schema });
    await pool.query(`insert into "${schema}".migrations values (${migrations.length + 1}, 'x')`);
    const newer = new RegExp(
      `is at migration ${names.length + 1}, and this release .* knows ${names.length}: upgrade the`,
    );
    await expect(migrate(pool, { schema })).rejects.toThrow(newer);
    await expect(pendingMigrations(pool, { schema })).rejects.toThrow(newer);
    await expect(postgresStore(pool, { schema }).verify()).rejects.toThrow(newer);
    await pool.query(`drop schema "${schema}" cascade`);
  });

  test('a store without its tables says to migrate', async () => {
    await using pool = openPool({ max: 1 });
    const store = postgresStore(pool, { schema: newSchemaName() });
    const outdated = `is at migration 0 of ${names.length}: run migrate()`;
    await expect(store.verify()).rejects.toThrow(outdated);
  });

  test('two schemas in one database do not meet', async () => {
    await using database = await openEmptyDatabase();
    expect(await migrate(database.pool, { schema: 'one' })).toEqual(names);
    // A word of SQL: names are quoted.
    expect(await migrate(database.pool, { schema: 'table' })).toEqual(names);
    await postgresStore(database.pool, { schema: 'table' }).verify();
  });
});

describe('the script', () => {
  test.each([undefined, false, { widthMs: 3_600_000 }] as const)(
    'does what migrating does, with partitions: %j',
    async (partitions) => {
      await using database = await openEmptyDatabase();
      const { pool } = database;
      const options = { schema: 'by_script', ...(partitions === undefined ? {} : { partitions }) };
      await pool.query(migrationSql(options));
      expect(await pendingMigrations(pool, options)).toEqual([]);
      await postgresStore(pool, options).verify();
      await migrate(pool, { ...options, schema: 'by_migrate' });
      expect(await describeSchema(pool, 'by_script')).toEqual(
        await describeSchema(pool, 'by_migrate'),
      );
      expect(await migrate(pool, options)).toEqual([]);
    },
  );

  test('has nothing to do where all has run', () => {
    const statements = migrationSql({ installed: migrations.length }).split(/;\n+/);
    expect(statements).toEqual(['begin', expect.stringMatching(/advisory/), 'commit', '']);
  });

  test('names the schema, quoted, and leaves no placeholder', () => {
    const text = migrationSql({ schema: 'table' });
    expect(text).toContain('create table "table".records');
    expect(text).not.toContain(':SCHEMA');
    expect(() => migrationSql({ schema: 'a; drop' })).toThrow(TypeError);
  });
});

describe('the embedded migrations', () => {
  const folder = new URL('../migrations/', import.meta.url);

  test('are those of the folder, number by number: else run `npm run embed`', () => {
    const files = readdirSync(folder).sort();
    expect(migrations.map(({ name }) => `${name}.sql`)).toEqual(files);
    for (const [index, { version, name, statements }] of migrations.entries()) {
      expect(version).toBe(index + 1);
      expect(name.startsWith(String(version).padStart(4, '0'))).toBe(true);
      const file = readFileSync(new URL(`${name}.sql`, folder), 'utf8');
      expect(`${statements.join('\n\n')}\n`).toBe(file);
    }
  });
});

/** Every table, column, view, function and partition of a schema, without its name. */
async function describeSchema(pool: pg.Pool, schema: string): Promise<unknown> {
  const { rows } = await pool.query(
    `select array(select relname || ' ' || attname || ' ' || atttypid::regtype
                    from pg_class join pg_attribute on attrelid = pg_class.oid
                   where relnamespace = $1::regnamespace and attnum > 0
                   order by 1) as columns,
            array(select proname || pg_get_function_arguments(oid) from pg_proc
                   where pronamespace = $1::regnamespace order by 1) as functions`,
    [schema],
  );
  const layout = await pool.query(`select width_ms, horizon_ms from "${schema}".layout`);
  return { ...rows[0], layout: layout.rows };
}

async function openEmptyDatabase() {
  const name = newSchemaName();
  const admin = openPool({ max: 1 });
  await admin.query(`create database "${name}"`);
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  const config = { connectionString: url.href };
  const pool: pg.Pool = openPool({ ...config, max: 2 });
  return {
    config,
    pool,
    async [Symbol.asyncDispose]() {
      await pool.end();
      await admin.query(`drop database "${name}" with (force)`);
      await admin.end();
    },
  };
}
