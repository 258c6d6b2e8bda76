import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A disk in memory that is full when it is told to be. */
export interface SmallDisk extends Disposable {
  readonly folder: string;
  /** Leaves so many bytes, or as many as there were at first. */
  leave(bytes: number | 'enough'): void;
}

const enoughBytes = 2 ** 30;

/** Mounts one, or says why that cannot be done: it takes root, on Linux. */
export function mountSmallDisk(): SmallDisk | string {
  const folder = mkdtempSync(join(tmpdir(), 'onceward-disk-'));
  const mount = (options: string) =>
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'pipe' });
  try {
    mount(`size=${enoughBytes},mode=0755`);
  } catch (error) {
    rmSync(folder, { recursive: true });
    const reason = error instanceof Error ? (error.message.split('\n').at(-2) ?? '') : '';
    return `a tmpfs cannot be mounted here (${reason.trim() || 'it takes root, on Linux'})`;
  }
  return {
    folder,
    leave(bytes) {
      if (bytes === 'enough') return void mount(`remount,size=${enoughBytes}`);
      // It cannot be smaller than what is on it, and that may have grown since we looked.
      for (let tries = 0; tries < 20; tries++) {
        const { blocks, bfree, bsize } = statfsSync(folder);
        const used = (blocks - bfree) * bsize;
        try {
          return void mount(`remount,size=${used + bytes + tries * bsize}`);
        } catch {
          continue;
        }
      }
    },
    [Symbol.dispose]() {
      execFileSync('umount', ['-l', folder]);
      rmSync(folder, { recursive: true });
    },
  };
}
