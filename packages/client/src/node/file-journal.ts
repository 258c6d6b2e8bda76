import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Clock, systemClock } from '@onceward/core';
import type { JournalRow, JournalStore } from '@onceward/core/journal';
import { oneAtATime } from '../one-at-a-time.ts';
import { type FolderLock, lockFolder } from './folder-lock.ts';
import { openRowFolder, type RowFolder } from './row-folder.ts';

/** Options of `fileJournal`. */
export interface FileJournalOptions {
  /** Where the rows are kept, such as `join(app.getPath('userData'), 'journal')` in Electron. */
  folder: string;
  /** For tests: what decides when a process that is gone no longer has the folder. */
  clock?: Clock;
}

interface OpenFolder {
  readonly lock: FolderLock;
  readonly files: RowFolder;
  /** What the files say: while the lock is held, nobody else can change them. */
  readonly rows: Map<number, JournalRow>;
  lastSeq: number;
}

/**
 * Keeps rows in files, for Node.js and the main process of Electron: they survive the end of the
 * process and of the power. One process at a time can use a folder; others are refused.
 *
 * Nothing is opened before the first call.
 */
export function fileJournal({ folder, clock = systemClock }: FileJournalOptions): JournalStore {
  const path = resolve(folder);
  const inTurn = oneAtATime();
  let opened: OpenFolder | undefined;

  const close = async () => {
    const { lock } = opened ?? {};
    opened = undefined;
    await lock?.release();
  };

  const use = <T>(work: (open: OpenFolder) => Promise<T>): Promise<T> =>
    inTurn(async () => {
      opened ??= await openFolder(path, clock);
      try {
        await opened.lock.check();
        return await work(opened);
      } catch (error) {
        // What a write that failed has left behind, only the disk knows: it is read again.
        await close();
        throw error;
      }
    });

  return {
    name: 'file',
    durability: 'strict',

    insert: ({ scope, intent, body }) =>
      use(async (open) => {
        const same = (row: JournalRow) => row.scope === scope && row.intent === intent;
        const running = intent === null ? undefined : [...open.rows.values()].find(same);
        if (running) return { kind: 'joined', row: running };
        const row = { scope, intent, body, seq: open.lastSeq + 1, rev: 1 };
        await open.files.write(row);
        open.rows.set(row.seq, row);
        open.lastSeq = row.seq;
        return { kind: 'inserted', row };
      }),

    update: ({ seq, rev, intent, body }) =>
      use(async ({ files, rows }) => {
        const current = rows.get(seq);
        if (current?.rev !== rev) return { kind: 'stale', row: current };
        const row = { ...current, intent, body, rev: rev + 1 };
        await files.write(row);
        rows.set(seq, row);
        return { kind: 'updated', row };
      }),

    remove: ({ seq, rev }) =>
      use(async ({ files, rows, lastSeq }) => {
        const current = rows.get(seq);
        if (current?.rev !== rev) return 'stale';
        await files.remove(current, lastSeq);
        rows.delete(seq);
        return 'removed';
      }),

    get: (seq) => use(async ({ rows }) => rows.get(seq)),
    list: (scope) =>
      use(async ({ rows }) => [...rows.values()].filter((row) => row.scope === scope)),
    countOthers: (scope) =>
      use(async ({ rows }) => [...rows.values()].filter((row) => row.scope !== scope).length),
    close: () => inTurn(close),
  };
}

async function openFolder(path: string, clock: Clock): Promise<OpenFolder> {
  await mkdir(path, { recursive: true });
  const lock = await lockFolder(path, clock);
  try {
    const files = openRowFolder(path);
    const { rows, lastSeq } = await files.load();
    return { lock, files, lastSeq, rows: new Map(rows.map((row) => [row.seq, row])) };
  } catch (error) {
    await lock.release();
    throw error;
  }
}
