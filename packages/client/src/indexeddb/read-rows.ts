import type { JournalRow } from '@onceward/core/journal';
import type { Database } from './database.ts';
import { result } from './request.ts';

/** The rows of one scope, oldest first. */
export async function readRows(database: Database, scope: string): Promise<JournalRow[]> {
  try {
    return await database.transact('rows', 'readonly', async (rows) =>
      (await result<JournalRow[]>(rows.index('scope').getAll(scope))).map(wholeRow),
    );
  } catch {
    // One value that the browser has lost fails all of them: one by one, it is one.
    const keys = await database.transact('rows', 'readonly', (rows) =>
      result<number[]>(rows.index('scope').getAllKeys(scope)),
    );
    const found = await Promise.all(keys.map((seq) => readRow(database, seq)));
    return found.filter((row) => row !== undefined);
  }
}

/** The row with this number, or what is left of it, if there is one. */
export async function readRow(database: Database, seq: number): Promise<JournalRow | undefined> {
  try {
    return await database.transact('rows', 'readonly', (rows) => currentRow(rows, seq));
  } catch {
    // In a transaction of its own: Chromium ends the one in which it finds that a value is lost.
    const scope = await database.transact('rows', 'readonly', (rows) => scopeOf(rows, seq));
    return wholeRow({ seq, scope });
  }
}

/** As `readRow`, within a transaction, which ends when the value is lost. */
export async function currentRow(
  rows: IDBObjectStore,
  seq: number,
): Promise<JournalRow | undefined> {
  const kept = await result<JournalRow | undefined>(rows.get(seq));
  return kept && wholeRow(kept);
}

function wholeRow(kept: Pick<JournalRow, 'seq' | 'scope'> & Partial<JournalRow>): JournalRow {
  return { rev: 0, intent: null, body: JSON.stringify(kept), ...kept };
}

/** The index still knows whose row it is. */
function scopeOf(rows: IDBObjectStore, seq: number): Promise<string> {
  return new Promise((resolve) => {
    const request = rows.index('scope').openKeyCursor();
    request.onsuccess = () => {
      const cursor = request.result;
      if (cursor && cursor.primaryKey !== seq) cursor.continue();
      else resolve(cursor ? (cursor.key as string) : '');
    };
  });
}
