import type { JournalStore } from '@onceward/core/journal';
import { createTable } from './create-table.ts';
import { type SqliteDatabase, sqliteOver, type SqliteValue } from './sqlite-database.ts';
import { fromTable, type TableRow, toText } from './table-row.ts';

/** Options of `sqliteJournal`. */
export interface SqliteJournalOptions {
  /** @defaultValue `'onceward_journal'` */
  table?: string;
}

/**
 * Keeps rows in SQLite: they survive the end of the process and of the power. Every call is one
 * statement, and so one transaction.
 *
 * The table is made with the first call, which also makes the connection wait for the disk
 * (`synchronous = full`). You open the database, and you close it: not within a transaction of
 * yours, or what the journal calls durable may still be undone.
 */
export function sqliteJournal(
  database: SqliteDatabase,
  { table = 'onceward_journal' }: SqliteJournalOptions = {},
): JournalStore {
  if (!/^[a-z_]\w*$/i.test(table)) throw new TypeError('Expected `table` to be a plain name');
  const sqlite = sqliteOver(database);
  let created: Promise<void> | undefined;

  const query = async <Row>(sql: string, ...values: SqliteValue[]) => {
    // What failed now, because the disk is full, may work the next time.
    created ??= createTable(sqlite, table).catch((error: unknown) => {
      created = undefined;
      throw error;
    });
    await created;
    return sqlite.query<Row>(sql, values);
  };
  const rows = async (sql: string, ...values: SqliteValue[]) =>
    (await query<TableRow>(sql, ...values)).map(fromTable);
  const get = async (seq: number) => (await rows(`select * from ${table} where seq = ?`, seq))[0];

  return {
    name: 'sqlite',
    durability: 'strict',

    async insert({ scope, intent, body }) {
      for (;;) {
        const [row] = await rows(
          `insert into ${table} (rev, scope, intent, body) values (1, ?, ?, ?)
               on conflict do nothing
           returning *`,
          toText(scope),
          toText(intent),
          toText(body),
        );
        if (row) return { kind: 'inserted', row };
        const [running] = await rows(
          `select * from ${table} where scope = ? and intent = ?`,
          toText(scope),
          toText(intent),
        );
        if (running) return { kind: 'joined', row: running };
        // It has given up its intent in between: the next attempt is the first again.
      }
    },

    async update({ seq, rev, intent, body }) {
      const [row] = await rows(
        `update ${table} set rev = rev + 1, intent = ?, body = ?
          where seq = ? and rev = ?
      returning *`,
        toText(intent),
        toText(body),
        seq,
        rev,
      );
      return row ? { kind: 'updated', row } : { kind: 'stale', row: await get(seq) };
    },

    async remove({ seq, rev }) {
      const sql = `delete from ${table} where seq = ? and rev = ? returning *`;
      const [row] = await rows(sql, seq, rev);
      return row ? 'removed' : 'stale';
    },

    get,
    list: (scope) => rows(`select * from ${table} where scope = ? order by seq`, toText(scope)),
    async countOthers(scope) {
      const sql = `select count(*) as others from ${table} where scope <> ?`;
      const [count] = await query<{ others: number | bigint }>(sql, toText(scope));
      return Number(count?.others);
    },
    close: async () => {},
  };
}
