import { join } from 'node:path';
import { describeJournalStore } from '@onceward/conformance';
import sqlite from 'node-sqlite3-wasm';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import type { AsyncSqliteDatabase, SqliteValue, SyncSqliteDatabase } from './sqlite-database.ts';
import { sqliteJournal } from './sqlite-journal.ts';

const shapes = { 'expo-sqlite': likeExpo, 'better-sqlite3': likeBetterSqlite } as const;
const draft = { scope: 'alice', intent: null, body: 'pay 100' };

describe.each(Object.entries(shapes))('the SQLite journal over %s', (_, shape) => {
  describeJournalStore({ describe, test }, async () => {
    const { database, path } = newDatabase();
    const open = (connection: sqlite.Database) => sqliteJournal(shape(connection));
    return {
      store: open(database),
      peers: [open(connect(path)), open(connect(path))],
      reopen: async () => open(connect(path)),
      corrupt: async (seq) =>
        void database.run("update onceward_journal set body = 'half a ro' where seq = ?", [seq]),
      async [Symbol.asyncDispose]() {},
    };
  });
});

test('every commit waits for the disk, whatever the connection did before', async () => {
  const { database } = newDatabase();
  database.exec('pragma journal_mode = delete; pragma synchronous = off');
  await sqliteJournal(likeBetterSqlite(database)).insert(draft);
  expect(database.get('pragma synchronous')).toEqual({ synchronous: 2 });
});

test('nothing is made before the first call', () => {
  const { database } = newDatabase();
  const { name, durability } = sqliteJournal(likeBetterSqlite(database));
  expect({ name, durability }).toEqual({ name: 'sqlite', durability: 'strict' });
  expect(database.all('select * from sqlite_master')).toEqual([]);
});

test('a table that could not be made is made by the next call', async () => {
  const { database } = newDatabase();
  let full = true;
  const store = sqliteJournal({
    ...likeExpo(database),
    async execAsync(sql) {
      if (full) throw new Error('database or disk is full');
      database.exec(sql);
    },
  });
  await expect(store.insert(draft)).rejects.toThrow('database or disk is full');
  full = false;
  expect((await store.insert(draft)).kind).toBe('inserted');
});

test('journals in different tables share a database and nothing else', async () => {
  const database = likeExpo(newDatabase().database);
  const [shop, bank] = ['shop', 'bank'].map((table) => sqliteJournal(database, { table }));
  await shop?.insert({ ...draft, intent: 'checkout' });
  expect((await bank?.insert({ ...draft, intent: 'checkout' }))?.row.seq).toBe(1);
});

test('a table that is more than a name is refused', () => {
  const database = likeExpo(newDatabase().database);
  expect(() => sqliteJournal(database, { table: 'a; drop table b' })).toThrow(
    new TypeError('Expected `table` to be a plain name'),
  );
});

test('numbers may come as bigints', async () => {
  const database = newDatabase().database;
  const large = (row: object) =>
    Object.fromEntries(
      Object.entries(row).map(([name, held]) => [
        name,
        typeof held === 'number' ? BigInt(held) : held,
      ]),
    );
  const store = sqliteJournal({
    exec: (sql) => database.exec(sql),
    prepare: (sql) => ({ all: (...values) => database.all(sql, values).map(large) }),
  });
  expect((await store.insert(draft)).row).toEqual({ ...draft, seq: 1, rev: 1 });
  expect(await store.countOthers('bob')).toBe(1);
});

function newDatabase(): { database: sqlite.Database; path: string } {
  const temporary = temporaryFolder('journal');
  onTestFinished(() => temporary[Symbol.dispose]());
  const path = join(temporary.folder, 'journal.db');
  return { database: connect(path), path };
}

function connect(path: string): sqlite.Database {
  const database = new sqlite.Database(path);
  onTestFinished(() => database.close());
  return database;
}

function likeExpo(database: sqlite.Database): AsyncSqliteDatabase {
  return {
    execAsync: async (sql) => database.exec(sql),
    getAllAsync: async (sql, values) => database.all(sql, values),
  };
}

function likeBetterSqlite(database: sqlite.Database): SyncSqliteDatabase {
  return {
    exec: (sql) => database.exec(sql),
    prepare: (sql) => ({ all: (...values: SqliteValue[]) => database.all(sql, values) }),
  };
}
