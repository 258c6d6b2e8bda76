import { createHash, randomUUID } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** Where PostgreSQL runs, and as whom. */
export interface PostgresPlace {
  /** The programs. */
  readonly binaries: string;
  /** The data, kept from one start to the next. */
  readonly cluster: string;
  /** `undefined`: whoever started the playground. */
  readonly user: { readonly uid: number; readonly gid: number } | undefined;
}

/**
 * Prepares the folder that keeps the data.
 *
 * PostgreSQL refuses to run as root, so root runs it as nobody, who must be able to reach its
 * programs and its data: also when the clone is in a folder like /root, which nobody may enter.
 */
export function preparePlace(dataFolder: string, installed: string): PostgresPlace {
  mkdirSync(dataFolder, { recursive: true });
  if (process.getuid?.() !== 0) {
    return { binaries: installed, cluster: join(dataFolder, 'postgres'), user: undefined };
  }
  const folder = openToOthers(dirname(dataFolder)) ? dataFolder : publicFolderFor(dataFolder);
  chmodSync(folder, (statSync(folder).mode & 0o777) | 0o001);
  return {
    binaries: openToOthers(installed) ? installed : copyInto(folder, dirname(installed)),
    cluster: join(folder, 'postgres'),
    user: { uid: 65_534, gid: 65_534 },
  };
}

/** Whether anybody may enter this folder, and all that it is in. */
function openToOthers(path: string): boolean {
  for (let folder = path; ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

/** The same one at every start. */
function publicFolderFor(dataFolder: string): string {
  const name = createHash('sha256').update(dataFolder).digest('hex').slice(0, 16);
  const folder = join('/var/tmp', `onceward-playground-${name}`);
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  const found = lstatSync(folder);
  if (!found.isDirectory() || found.uid !== 0) {
    throw new Error(`${folder} belongs to somebody else. Choose a folder with PLAYGROUND_DATA.`);
  }
  console.log(`Only root may enter ${dirname(dataFolder)}, so the data is in ${folder}.`);
  return folder;
}

/** Copies beside its place and moves there, so that nobody runs half a PostgreSQL. */
function copyInto(folder: string, native: string): string {
  const manifest = readFileSync(join(native, '..', 'package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  const copy = join(folder, `native-${version}`);
  if (!existsSync(copy)) {
    const staging = `${copy}-${randomUUID()}`;
    cpSync(native, staging, { recursive: true, verbatimSymlinks: true });
    try {
      renameSync(staging, copy);
    } catch (error) {
      rmSync(staging, { recursive: true, force: true });
      // Somebody else was faster.
      if (!existsSync(copy)) throw error;
    }
  }
  return join(copy, 'bin');
}
