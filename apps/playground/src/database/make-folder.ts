import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Makes a folder, unless it is there.
 *
 * Beside its place, and moved there when complete: whoever is cut off half-way leaves nothing that
 * the next one could take for the whole. Of two at a time, the first to be done wins; each has a
 * folder of its own until then.
 */
export async function makeFolder(
  place: string,
  fill: (staging: string) => Promise<void>,
): Promise<void> {
  removeLeftovers(place);
  if (existsSync(place)) return;
  const staging = `${place}-new-${process.pid}-${randomUUID()}`;
  mkdirSync(staging, { mode: 0o700 });
  try {
    await fill(staging);
    renameSync(staging, place);
  } catch (error) {
    // Somebody else was faster. (Systems differ in the code of this error.)
    if (!existsSync(place)) throw error;
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** What was being made by processes that are gone. */
function removeLeftovers(place: string): void {
  const start = `${basename(place)}-new-`;
  for (const name of readdirSync(dirname(place))) {
    if (!name.startsWith(start) || isTaken(Number.parseInt(name.slice(start.length), 10))) continue;
    try {
      rmSync(join(dirname(place), name), { recursive: true, force: true });
    } catch {
      // Its maker was killed, and what the maker had started still writes there.
    }
  }
}

/** By the maker, or by a stranger since: then it is left to a later start. */
function isTaken(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
