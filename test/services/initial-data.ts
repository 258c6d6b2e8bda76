import { execFileSync, type ExecFileSyncOptions } from 'node:child_process';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

const cache = join(import.meta.dirname, '../../node_modules/.cache');

/** Where PostgreSQL is to have its files, and how to run what makes them. */
export interface InitialData {
  readonly bin: string;
  /** An empty folder of the user that runs PostgreSQL. */
  readonly data: string;
  readonly options: ExecFileSyncOptions & { uid?: number; gid?: number };
}

/**
 * Fills a folder with the files of an empty database.
 *
 * `initdb` makes them once, and copies do from then on, which takes a third of the work: a run of all
 * tests starts dozens of servers.
 */
export function initialData({ bin, data, options }: InitialData): void {
  // Of another `initdb`, such as that of a later release, they would be other files.
  const made = join(cache, `onceward-initial-data-${statSync(join(bin, 'initdb')).size}`);
  if (existsSync(made)) {
    cpSync(made, data, { recursive: true });
    if (options.uid !== undefined && options.gid !== undefined) own(data, options.uid, options.gid);
    return;
  }
  const initdb = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N'];
  execFileSync(join(bin, 'initdb'), initdb, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
  keep(data, made);
}

/** Copies beside its place and moves there, so that nobody starts on half of it. */
function keep(data: string, made: string): void {
  mkdirSync(dirname(made), { recursive: true });
  const staging = mkdtempSync(`${made}-`);
  cpSync(data, join(staging, 'data'), { recursive: true });
  try {
    renameSync(join(staging, 'data'), made);
  } catch {
    // Somebody else was faster.
  }
  rmSync(staging, { recursive: true, force: true });
}

function own(path: string, uid: number, gid: number): void {
  chownSync(path, uid, gid);
  if (!statSync(path).isDirectory()) return;
  for (const name of readdirSync(path)) own(join(path, name), uid, gid);
}
