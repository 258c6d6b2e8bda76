import assert from 'node:assert/strict';
import type { TestApi } from '../harness.ts';
import type { OpenJournalHarness } from './harness.ts';
import { insertRow, reopened, updateRow } from './rows.ts';

/** Guarantee 6: a body comes back character by character. */
export function describeBodies({ test }: TestApi, open: OpenJournalHarness): void {
  const bodies: readonly [what: string, body: string][] = [
    ['is empty', ''],
    ['looks like something else', '{"rev":7,"seq":0,"scope":"bob"}'],
    ['has line breaks, quotes and null characters', '\n"\\\'\r\n\0\u2028 \t'],
    ['is not ASCII', 'ünï©ødé 🌍'],
    ['is not valid Unicode', 'a\ud800b\udc00\udfffc'],
    ['begins with a byte order mark', '\ufeffpay'],
    ['is large', 'x🌍'.repeat(300_000)],
  ];
  for (const [what, body] of bodies) {
    test(`a body that ${what} comes back as it was given`, async () => {
      await using harness = await open();
      const { store } = harness;
      const row = await insertRow(store, { body });
      // Not deepEqual: a message with both texts of a large body helps nobody.
      assert.ok(row.body === body, 'when it is inserted');
      assert.ok((await store.get(row.seq))?.body === body, 'when it is read');
      assert.ok((await store.list('alice'))[0]?.body === body, 'when it is listed');

      const other = await insertRow(store, { body: 'other' });
      assert.ok((await updateRow(store, { ...other, body })).body === body, 'when it is updated');
      await using next = await reopened(harness);
      if (!next) return;
      const kept = (await next.list('alice')).map((found) => found.body === body);
      assert.deepEqual(kept, [true, true], 'in a new process');
    });
  }
}
