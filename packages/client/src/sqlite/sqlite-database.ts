/** A database of expo-sqlite, or of anything else with these two methods. */
export interface AsyncSqliteDatabase {
  execAsync(sql: string): Promise<unknown>;
  getAllAsync(sql: string, values: SqliteValue[]): Promise<unknown[]>;
}

/** A database of better-sqlite3 or `node:sqlite`, or of anything else with these two methods. */
export interface SyncSqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): { all(...values: SqliteValue[]): unknown[] };
}

/** A database of SQLite, by its shape. */
export type SqliteDatabase = AsyncSqliteDatabase | SyncSqliteDatabase;

/** What a column holds. */
export type SqliteValue = string | number | null;

/** Both shapes as one. */
export interface Sqlite {
  execute(sql: string): Promise<void>;
  /** Runs one statement, which is a transaction of its own, and returns its rows. */
  query<Row>(sql: string, values: SqliteValue[]): Promise<Row[]>;
}

export function sqliteOver(database: SqliteDatabase): Sqlite {
  if ('getAllAsync' in database) {
    return {
      execute: async (sql) => void (await database.execAsync(sql)),
      query: async <Row>(sql: string, values: SqliteValue[]) =>
        (await database.getAllAsync(sql, values)) as Row[],
    };
  }
  return {
    execute: async (sql) => void database.exec(sql),
    query: async <Row>(sql: string, values: SqliteValue[]) =>
      database.prepare(sql).all(...values) as Row[],
  };
}
