import { mkdir, readdir, readFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import type { JournalRow } from '@onceward/core/journal';
import { removeDurably, syncFolder, writeDurably } from './durable-file.ts';
import { formatRow, parseRow } from './row-file.ts';
import { parseRowPath, rowPath } from './row-path.ts';

/** The rows of a journal on disk: a file for each, and one for the greatest number ever removed. */
export interface RowFolder {
  /** All rows, oldest first, and the greatest number that was ever given. */
  load(): Promise<{ rows: JournalRow[]; lastSeq: number }>;
  write(row: JournalRow): Promise<void>;
  /** Keeps `lastSeq` first: the next process would give the number of this row again. */
  remove(row: JournalRow, lastSeq: number): Promise<void>;
}

export function openRowFolder(folder: string): RowFolder {
  const root = join(folder, 'rows');
  const counter = join(folder, 'last-seq');
  const pathOf = (row: JournalRow) => join(root, ...rowPath(row));
  let keptSeq = 0;

  return {
    async load() {
      await makeFolder(root, folder);
      const paths = await readdir(root, { recursive: true });
      const rows = (await Promise.all(paths.map((path) => loadRow(root, path)))).flat();
      rows.sort((a, b) => a.seq - b.seq);
      keptSeq = await readCounter(counter);
      // Somebody may have removed the folder while a journal still knows its rows, which must not
      // take another row for one of them: the first number is the time.
      return { rows, lastSeq: Math.max(keptSeq || Date.now(), rows.at(-1)?.seq ?? 0) };
    },
    async write(row) {
      const path = pathOf(row);
      await makeFolder(dirname(path), root);
      await writeDurably(path, formatRow(row));
    },
    async remove(row, lastSeq) {
      if (keptSeq < row.seq) {
        await writeDurably(counter, `${lastSeq}`);
        keptSeq = lastSeq;
      }
      await removeDurably(pathOf(row));
    },
  };
}

async function loadRow(root: string, path: string): Promise<JournalRow[]> {
  const place = parseRowPath(path.split(sep));
  if (!place) return [];
  // A file that the disk no longer gives is a row of which nothing is left.
  const content = await readFile(join(root, path), 'utf8').catch(() => '');
  return [{ ...parseRow(content), ...place }];
}

async function readCounter(path: string): Promise<number> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '0';
    throw error;
  });
  if (/^\d+$/.test(text)) return Number(text);
  // To guess would be to give a number twice.
  throw new Error(`Expected a number in ${path}`);
}

/** Makes a folder and those above it, up to one that is there, as durable as what will be in it. */
async function makeFolder(path: string, above: string): Promise<void> {
  if (!(await mkdir(path, { recursive: true }))) return;
  for (let at = path; at !== above; at = dirname(at)) await syncFolder(dirname(at));
}
