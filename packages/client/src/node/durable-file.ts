import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Writes a file that is there, whole, or not at all, also when the power fails: on disk under
 * another name first, then renamed, then the folder that knows the name.
 */
export async function writeDurably(path: string, text: string): Promise<void> {
  const draft = `${path}.draft`;
  try {
    const file = await open(draft, 'w');
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    // Should this fail too, the next write overwrites it; the caller gets the real error.
    await rm(draft, { force: true }).catch(() => {});
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Removes a file for good. */
export async function removeDurably(path: string): Promise<void> {
  await rm(path);
  await syncFolder(dirname(path));
}

/** Makes the names in a folder as durable as the files they name. */
export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open a folder for this, and writes names down with the files.
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
