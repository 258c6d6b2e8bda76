import assert from 'node:assert/strict';
import type { OpenJournalHarness } from './harness.ts';
import type { TestApi } from '../harness.ts';
import { inTurns, insertRow, newDraft, reopened, updateRow } from './rows.ts';

/** Guarantee 2: `seq` grows with every row, and is never given twice. */
export function describeOrder({ test }: TestApi, open: OpenJournalHarness): void {
  test('a later row has a greater number, in whichever scope', async () => {
    await using harness = await open();
    const first = await insertRow(harness.store);
    const second = await insertRow(harness.store, { scope: 'bob' });
    const third = await insertRow(harness.store);
    assert.ok(first.seq > 0, `${first.seq}`);
    assert.ok(second.seq > first.seq, `${second.seq} after ${first.seq}`);
    assert.ok(third.seq > second.seq, `${third.seq} after ${second.seq}`);
  });

  test('of many concurrent rows, no two have the same number', async () => {
    await using harness = await open();
    const inserted = await inTurns(harness, { times: 24 }, (store) => store.insert(newDraft()));
    assert.equal(new Set(inserted.map(({ row }) => row.seq)).size, 24);
    assert.equal((await harness.store.list('alice')).length, 24);
  });

  test('the number of a row that was removed is not given again', async () => {
    await using harness = await open();
    const { store } = harness;
    const first = await insertRow(store);
    const last = await insertRow(store);
    await store.remove(last);
    await store.remove(first);
    const next = await insertRow(store);
    assert.ok(next.seq > last.seq, `${next.seq} after ${last.seq}`);
  });

  test('nor is it given again by a new process', async () => {
    await using harness = await open();
    const last = await insertRow(harness.store);
    await harness.store.remove(last);
    await using store = await reopened(harness);
    if (!store) return;
    const next = await insertRow(store);
    assert.ok(next.seq > last.seq, `${next.seq} after ${last.seq}`);
  });

  test('rows are listed oldest first, also after the oldest was updated', async () => {
    await using harness = await open();
    const { store } = harness;
    const rows = [];
    // More than nine, so that an order of texts shows.
    for (let row = 0; row < 12; row++) rows.push(await insertRow(store));
    const [oldest] = rows;
    assert.ok(oldest);
    await updateRow(store, { ...oldest, body: 'sent' });
    assert.deepEqual(
      (await store.list('alice')).map(({ seq }) => seq),
      rows.map(({ seq }) => seq),
    );
  });
}
