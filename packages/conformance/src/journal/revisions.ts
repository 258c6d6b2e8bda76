import assert from 'node:assert/strict';
import type { TestApi } from '../harness.ts';
import type { OpenJournalHarness } from './harness.ts';
import { inTurns, insertRow, updateRow } from './rows.ts';

/** Guarantee 4: nothing changes without the current revision. */
export function describeRevisions({ test }: TestApi, open: OpenJournalHarness): void {
  test('a row starts at revision 1, and every update adds one', async () => {
    await using harness = await open();
    const { store } = harness;
    const row = await insertRow(store, { intent: 'checkout' });
    assert.equal(row.rev, 1);
    const second = await updateRow(store, { ...row, body: 'sent' });
    assert.deepEqual(second, { ...row, rev: 2, body: 'sent' });
    const third = await updateRow(store, { ...second, intent: null });
    assert.deepEqual(third, { ...second, rev: 3, intent: null });
    assert.deepEqual(await store.get(row.seq), third);
  });

  test('of many that update the revision they read, one wins and the others are told', async () => {
    await using harness = await open();
    const row = await insertRow(harness.store);
    const answers = await inTurns(harness, { times: 16 }, (store, turn) =>
      store.update({ ...row, body: `turn ${turn}` }),
    );
    const [winner, ...others] = answers.filter(({ kind }) => kind === 'updated');
    assert.ok(winner?.row);
    assert.equal(others.length, 0, 'one wins');
    for (const answer of answers) assert.deepEqual(answer.row, winner.row);
    assert.deepEqual(await harness.store.list('alice'), [winner.row]);
  });

  test('of many that remove the revision they read, one wins', async () => {
    await using harness = await open();
    const row = await insertRow(harness.store);
    const answers = await inTurns(harness, { times: 8 }, (store) => store.remove(row));
    assert.equal(answers.filter((answer) => answer === 'removed').length, 1);
    assert.equal(await harness.store.get(row.seq), undefined);
  });

  test('an older or a later revision changes nothing, and is told what the row is', async () => {
    await using harness = await open();
    const { store } = harness;
    const row = await insertRow(store, { intent: 'checkout' });
    const current = await updateRow(store, { ...row, body: 'sent' });
    for (const rev of [row.rev, current.rev + 1, 0]) {
      const answer = await store.update({ ...row, rev, intent: null, body: 'late' });
      assert.deepEqual(answer, { kind: 'stale', row: current });
      assert.equal(await store.remove({ seq: row.seq, rev }), 'stale');
    }
    assert.deepEqual(await store.list('alice'), [current]);
  });

  test('a row that was removed cannot be updated, removed, or brought back', async () => {
    await using harness = await open();
    const { store } = harness;
    const row = await insertRow(store);
    assert.equal(await store.remove(row), 'removed');
    assert.deepEqual(await store.update(row), { kind: 'stale', row: undefined });
    assert.equal(await store.remove(row), 'stale');
    assert.deepEqual(await store.list('alice'), []);
  });

  test('a row that never was is undefined', async () => {
    await using harness = await open();
    const { store } = harness;
    const { seq } = await insertRow(store);
    assert.equal(await store.get(seq + 1), undefined);
    assert.equal(await store.remove({ seq: seq + 1, rev: 1 }), 'stale');
  });

  test('an update or a removal touches one row', async () => {
    await using harness = await open();
    const { store } = harness;
    const [before, row, after] = [
      await insertRow(store),
      await insertRow(store),
      await insertRow(store),
    ];
    const sent = await updateRow(store, { ...row, body: 'sent' });
    assert.deepEqual(await store.list('alice'), [before, sent, after]);
    await store.remove(sent);
    assert.deepEqual(await store.list('alice'), [before, after]);
  });
}
