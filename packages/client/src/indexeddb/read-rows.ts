import type { JournalRow } from '@onceward/core/journal';
import { result, resultIfReadable } from './request.ts';

/**
 * The rows of one scope, oldest first. One by one, because a single value that the browser has
 * lost, such as a large one whose file is gone, fails `getAll` for all of them.
 */
export async function readRows(rows: IDBObjectStore, scope: string): Promise<JournalRow[]> {
  const keys = await result<number[]>(rows.index('scope').getAllKeys(scope));
  return Promise.all(keys.map((seq) => readKnownRow(rows, seq)));
}

/** The row with this number, if there is one. */
export async function readRow(rows: IDBObjectStore, seq: number): Promise<JournalRow | undefined> {
  return (await result<number>(rows.count(seq))) ? readKnownRow(rows, seq) : undefined;
}

/** A row that is there, or what is left of it. */
export async function readKnownRow(rows: IDBObjectStore, seq: number): Promise<JournalRow> {
  const kept = await resultIfReadable<Partial<JournalRow> | undefined>(rows.get(seq));
  const { scope, intent, body, rev } = kept ?? {};
  return {
    seq,
    rev: rev ?? 0,
    scope: scope ?? (await scopeOf(rows, seq)),
    intent: intent ?? null,
    body: typeof body === 'string' ? body : JSON.stringify(kept ?? ''),
  };
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
