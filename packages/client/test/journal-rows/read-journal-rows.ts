import type { JournalRow } from '@onceward/core/journal';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Rows as a version of this package has written them, on 1 November 2026: one in every state.
 *
 * Devices out there have such rows. The files are never changed, and every later version must
 * still read them; what writes rows in another way brings a file of its own.
 */
export function readJournalRows(version: 1): JournalRow[] {
  const path = join(import.meta.dirname, `version-${version}.json`);
  return JSON.parse(readFileSync(path, 'utf8')) as JournalRow[];
}
