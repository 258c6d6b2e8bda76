import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder that is gone with whoever uses it. */
export function temporaryFolder(purpose: string): Disposable & { readonly folder: string } {
  const folder = mkdtempSync(join(tmpdir(), `onceward-${purpose}-`));
  return {
    folder,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}
