export type {
  AsyncSqliteDatabase,
  SqliteDatabase,
  SqliteValue,
  SyncSqliteDatabase,
} from './sqlite-database.ts';
export { sqliteJournal, type SqliteJournalOptions } from './sqlite-journal.ts';
