import assert from 'node:assert/strict';
import type { TestApi } from '../harness.ts';
import type { OpenJournalHarness } from './harness.ts';
import { insertRow, reopened, updateRow } from './rows.ts';

/** Guarantee 1: what has resolved is still so for whoever comes next. */
export function describeDurability({ test }: TestApi, open: OpenJournalHarness): void {
  test('what was inserted, updated and removed is so in a new process', async () => {
    await using harness = await open();
    const { store: old } = harness;
    const untouched = await insertRow(old, { intent: 'checkout', body: 'first' });
    const inserted = await insertRow(old, { intent: 'refund', body: 'second' });
    const updated = await updateRow(old, { ...inserted, intent: null, body: 'sent' });
    const removed = await insertRow(old);
    await old.remove(removed);

    await using store = await reopened(harness);
    if (!store) return;
    assert.deepEqual(await store.list('alice'), [untouched, updated]);
    assert.deepEqual(await store.get(updated.seq), updated);
    assert.equal(await store.get(removed.seq), undefined);
  });

  test('a new process goes on where the old one was killed', async () => {
    await using harness = await open();
    const row = await insertRow(harness.store, { intent: 'checkout' });
    await using store = await reopened(harness);
    if (!store) return;
    const draft = { scope: 'alice', intent: 'checkout', body: 'again' };
    assert.deepEqual(await store.insert(draft), { kind: 'joined', row });
    const sent = await updateRow(store, { ...row, body: 'sent' });
    assert.equal(await store.remove(row), 'stale');
    assert.equal(await store.remove(sent), 'removed');
  });

  test('what one connection has written, the others read', async () => {
    await using harness = await open();
    const { store, peers = [] } = harness;
    const row = await insertRow(store);
    for (const peer of peers) assert.deepEqual(await peer.list('alice'), [row]);
    const sent = await updateRow(store, { ...row, body: 'sent' });
    for (const peer of peers) assert.deepEqual(await peer.get(row.seq), sent);
    await store.remove(sent);
    for (const peer of peers) assert.equal(await peer.get(row.seq), undefined);
  });

  test('closing twice is harmless', async () => {
    await using harness = await open();
    await insertRow(harness.store);
    await harness.store.close();
    await harness.store.close();
  });
}
