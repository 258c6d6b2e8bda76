import assert from 'node:assert/strict';
import type { JournalStore } from '@onceward/core/journal';
import type { TestApi } from '../harness.ts';
import type { JournalHarness, OpenJournalHarness } from './harness.ts';
import { insertRow, newDraft, reopened, updateRow } from './rows.ts';

/** Guarantee 7: a row that cannot be read is an error of that row alone. */
export function describeBrokenRows({ test }: TestApi, open: OpenJournalHarness): void {
  test('a broken row is listed in its place, and the others are as they were', async () => {
    await using harness = await open();
    const { store: old } = harness;
    const before = await insertRow(old);
    const broken = await insertRow(old, { body: 'a body to damage' });
    const after = await insertRow(old);
    await using store = await corrupted(harness, broken.seq);
    if (!store) return;

    const [first, left, last] = await store.list('alice');
    assert.deepEqual([first, last], [before, after]);
    assert.equal(left?.seq, broken.seq);
    assert.equal(left.scope, 'alice');
    assert.equal(typeof left.body, 'string');
    assert.ok(left.body !== broken.body, 'what is left is not what was given');
    assert.deepEqual(await store.get(broken.seq), left);
  });

  test('a broken row is nobody else’s', async () => {
    await using harness = await open();
    const broken = await insertRow(harness.store, { scope: 'alice' });
    await using store = await corrupted(harness, broken.seq);
    if (!store) return;
    assert.deepEqual(await store.list('bob'), []);
    assert.equal(await store.countOthers('alice'), 0);
    assert.equal(await store.countOthers('bob'), 1);
  });

  test('rows can be inserted and updated beside a broken one', async () => {
    await using harness = await open();
    const broken = await insertRow(harness.store, { intent: 'refund' });
    await using store = await corrupted(harness, broken.seq);
    if (!store) return;
    const row = await insertRow(store, { intent: 'checkout' });
    assert.ok(row.seq > broken.seq, `${row.seq} after ${broken.seq}`);
    await updateRow(store, { ...row, body: 'sent' });
    assert.equal((await store.insert(newDraft({ intent: 'checkout' }))).kind, 'joined');
  });

  test('a broken row can be removed by what is left of it', async () => {
    await using harness = await open();
    const broken = await insertRow(harness.store);
    await using store = await corrupted(harness, broken.seq);
    if (!store) return;
    const [left] = await store.list('alice');
    assert.ok(left);
    assert.equal(await store.remove(left), 'removed');
    assert.deepEqual(await store.list('alice'), []);
  });
}

async function corrupted(
  harness: JournalHarness,
  seq: number,
): Promise<(JournalStore & AsyncDisposable) | undefined> {
  if (harness.store.durability !== 'memory') {
    assert.ok('corrupt' in harness, 'a row of a store that keeps rows can be damaged');
  }
  await harness.corrupt?.(seq);
  return reopened(harness);
}
