import type { Sqlite } from './sqlite-database.ts';

/**
 * Makes the table, if it is not there, and the connection wait for the disk.
 *
 * `synchronous` is less than full in the WAL mode of some builds: what was committed just before
 * the power failed would be gone. `fullfsync` is what that takes on Apple's systems.
 */
export async function createTable(sqlite: Sqlite, table: string): Promise<void> {
  await sqlite.execute(`
    pragma busy_timeout = 5000;
    pragma synchronous = full;
    pragma fullfsync = true;
    create table if not exists ${table} (
      -- Never given twice, not even after the row is gone: that is what autoincrement adds.
      seq    integer primary key autoincrement,
      rev    integer not null,
      scope  text    not null,
      intent text,
      body   text    not null
    );
    create unique index if not exists ${table}_intent
        on ${table} (scope, intent) where intent is not null;
    create index if not exists ${table}_scope on ${table} (scope, seq);
  `);
}
