import assert from 'node:assert/strict';
import type { TestApi } from '../harness.ts';
import type { OpenJournalHarness } from './harness.ts';
import { inTurns, insertRow, newDraft, updateRow } from './rows.ts';

/** Guarantee 3: one live row per intent and scope. */
export function describeIntents({ test }: TestApi, open: OpenJournalHarness): void {
  test('of many concurrent rows with one intent, one is inserted and the others join it', async () => {
    await using harness = await open();
    const answers = await inTurns(harness, { times: 16 }, (store, turn) =>
      store.insert(newDraft({ intent: 'checkout', body: `click ${turn}` })),
    );
    const [winner, ...others] = answers.filter(({ kind }) => kind === 'inserted');
    assert.ok(winner);
    assert.equal(others.length, 0, 'one is inserted');
    for (const { row } of answers) assert.deepEqual(row, winner.row);
    assert.deepEqual(await harness.store.list('alice'), [winner.row]);
  });

  test('a row that joins sees the other as it is now', async () => {
    await using harness = await open();
    const { store } = harness;
    const row = await insertRow(store, { intent: 'checkout' });
    const sent = await updateRow(store, { ...row, body: 'sent' });
    const answer = await store.insert(newDraft({ intent: 'checkout' }));
    assert.deepEqual(answer, { kind: 'joined', row: sent });
  });

  test('an intent that was given up is free, and the row stays', async () => {
    await using harness = await open();
    const { store } = harness;
    const settled = await updateRow(store, {
      ...(await insertRow(store, { intent: 'checkout' })),
      intent: null,
    });
    const next = await insertRow(store, { intent: 'checkout' });
    assert.deepEqual(await store.list('alice'), [settled, next]);
  });

  test('the intent of a row that was removed is free', async () => {
    await using harness = await open();
    const { store } = harness;
    await store.remove(await insertRow(store, { intent: 'checkout' }));
    await insertRow(store, { intent: 'checkout' });
  });

  test('rows without an intent never join, and an empty intent is one', async () => {
    await using harness = await open();
    const { store } = harness;
    await insertRow(store, { intent: null });
    await insertRow(store, { intent: null });
    await insertRow(store, { intent: '' });
    assert.equal((await store.insert(newDraft({ intent: '' }))).kind, 'joined');
  });

  test('intents that look alike are not the same', async () => {
    await using harness = await open();
    const { store } = harness;
    for (const intent of ['pay', 'Pay', 'pay ', 'pay\0', 'null', '0', '\ud800', '\ud801']) {
      assert.equal((await insertRow(store, { intent })).intent, intent);
    }
  });
}
