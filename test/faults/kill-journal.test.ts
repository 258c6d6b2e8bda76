import { join } from 'node:path';
import { fileJournal } from '@onceward/client/node';
import { expect, test } from 'vitest';
import { bundleProgram, killNow } from '../support/node-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface Said {
  readonly inserted?: number;
  readonly updated?: number;
  readonly removed?: number;
}

test('after kill -9, the files hold all that the process had said it did', async () => {
  using program = await bundleProgram(join(import.meta.dirname, 'journal-process.ts'));
  using temporary = temporaryFolder('journal');
  const { folder } = temporary;
  let greatest = 0;

  for (let round = 0; round < 4; round++) {
    const said: Said[] = [];
    const child = program.start({ folder });
    await new Promise<void>((resolve) => {
      child.on('message', (message: Said) => {
        said.push(message);
        if (said.length === 20 + round) resolve();
      });
    });
    await killNow(child);

    const store = fileJournal({ folder });
    const rows = new Map((await store.list('alice')).map((row) => [row.seq, row]));
    for (const { inserted, updated, removed } of said) {
      if (inserted !== undefined) {
        expect(inserted, 'no number is given twice').toBeGreaterThan(greatest);
        greatest = inserted;
        const gone = said.some((later) => later.removed === inserted);
        // It may have been removed just before the process could say so.
        if (!gone && inserted % 2 !== 0) expect(rows.has(inserted)).toBe(true);
      }
      if (updated !== undefined && rows.has(updated)) {
        expect(rows.get(updated)).toMatchObject({ body: 'sent', rev: 2 });
      }
      if (removed !== undefined) expect(rows.has(removed)).toBe(false);
    }
    for (const { body } of rows.values()) expect(['queued', 'sent']).toContain(body);
    await store.close();
  }
});
