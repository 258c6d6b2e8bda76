import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '@onceward/core';

/** The right of one process to use a folder. */
export interface FolderLock {
  /** Rejects when another process has taken over, as one that slept for long may find. */
  check(): Promise<void>;
  release(): Promise<void>;
}

interface Holder {
  readonly id: string;
  readonly pid: number;
  readonly host: string;
}

/** How long a lock outlives a holder that no longer renews it, and cannot be asked for. */
const leaseMs = 10_000;

/**
 * Takes a folder for this process, or rejects while another one that is alive has it.
 *
 * The lock is a file that names its holder, and is touched at a third of its lease. It is free when
 * the process is gone from this machine, or when nobody has touched it for as long as the lease: a
 * container that is started again often gets the same name and the same process id.
 */
export async function lockFolder(folder: string, clock: Clock): Promise<FolderLock> {
  const path = join(folder, 'lock');
  const own: Holder = { id: randomUUID(), pid: process.pid, host: hostname() };
  while (!(await created(path, own))) {
    const holder = await readHolder(path);
    if (await isAlive(path, { holder, clock })) {
      throw new Error(
        `The journal in ${folder} is in use by process ${holder?.pid} on ${holder?.host}. ` +
          'Only one process can use it at a time.',
      );
    }
    await takeAway(path, holder?.id);
  }

  const touch = () => utimes(path, clock.now() / 1_000, clock.now() / 1_000);
  let cancel = () => {};
  const renewLater = () => {
    const renew = () => void touch().then(renewLater, renewLater);
    cancel = clock.setTimer(renew, leaseMs / 3, { background: true });
  };
  await touch();
  renewLater();

  const isOurs = async () => (await readHolder(path))?.id === own.id;
  return {
    async check() {
      if (await isOurs()) return;
      cancel();
      throw new Error(`Another process has taken over the journal in ${folder}.`);
    },
    async release() {
      cancel();
      if (await isOurs()) await rm(path, { force: true });
    },
  };
}

async function created(path: string, holder: Holder): Promise<boolean> {
  try {
    await writeFile(path, JSON.stringify(holder), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function readHolder(path: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Holder;
  } catch {
    // It is gone, or its process died while it wrote it.
    return undefined;
  }
}

async function isAlive(
  path: string,
  { holder, clock }: { holder: Holder | undefined; clock: Clock },
): Promise<boolean> {
  const touched = await stat(path).catch(() => undefined);
  if (!touched || Math.abs(clock.now() - touched.mtimeMs) > leaseMs) return false;
  return holder?.host !== hostname() || isRunning(holder.pid);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It runs, and belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Removes the lock of a holder that is gone, and no other: two may find it gone at once. */
async function takeAway(path: string, id: string | undefined): Promise<void> {
  const moved = `${path}.${randomUUID()}`;
  const found = await rename(path, moved).then(
    () => readHolder(moved),
    () => undefined,
  );
  if (found && found.id !== id) await link(moved, path).catch(() => {});
  await rm(moved, { force: true });
}
