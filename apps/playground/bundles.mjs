// Every change of the sources makes another bundle: those that nobody uses any more are removed.
import { readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setInterval } from 'node:timers';

const hourMs = 3_600_000;

/**
 * Says that a bundle is in use, for as long as this process runs: also an old one is needed
 * whenever a playground that was started from it crashes and starts again.
 *
 * @param {string} folder
 */
export function keepBundle(folder) {
  const touch = () => {
    const now = new Date();
    try {
      utimesSync(folder, now, now);
    } catch {
      // Somebody removed it by hand, which is noticed when it is needed.
    }
  };
  touch();
  setInterval(touch, hourMs).unref();
}

/**
 * Removes what nobody has said to be in use for a day, half-written bundles included.
 *
 * @param {string} folder of all bundles
 */
export function removeOldBundles(folder) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    try {
      if (Date.now() - statSync(path).mtimeMs > 24 * hourMs) {
        rmSync(path, { recursive: true, force: true });
      }
    } catch {
      // Another start is removing it.
    }
  }
}
