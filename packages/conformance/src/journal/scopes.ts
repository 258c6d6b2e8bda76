import assert from 'node:assert/strict';
import type { TestApi } from '../harness.ts';
import type { OpenJournalHarness } from './harness.ts';
import { insertRow, updateRow } from './rows.ts';

/** Guarantee 5: rows of two scopes never meet. */
export function describeJournalScopes({ test }: TestApi, open: OpenJournalHarness): void {
  test('one intent in two scopes is two, and each scope lists its own', async () => {
    await using harness = await open();
    const { store } = harness;
    const alice = await insertRow(store, { scope: 'alice', intent: 'checkout' });
    const bob = await insertRow(store, { scope: 'bob', intent: 'checkout' });
    assert.deepEqual(await store.list('alice'), [alice]);
    assert.deepEqual(await store.list('bob'), [bob]);
    assert.deepEqual(await store.list('carol'), []);
  });

  test('an update does not move a row to another scope', async () => {
    await using harness = await open();
    const { store } = harness;
    const row = await insertRow(store, { scope: 'alice' });
    const updated = await updateRow(store, { ...row, scope: 'mallory', body: 'sent' });
    assert.equal(updated.scope, 'alice');
    assert.deepEqual(await store.list('alice'), [updated]);
    assert.deepEqual(await store.list('mallory'), []);
  });

  test('scopes and intents that look alike when joined stay apart', async () => {
    await using harness = await open();
    const { store } = harness;
    const pairs = [
      ['tenant', 'a:b'],
      ['tenant:a', 'b'],
      ['tenanta', ':b'],
      ['tenant,a', 'b'],
      ['Tenant', 'a:b'],
      ['', 'tenant:a:b'],
    ] as const;
    for (const [scope, intent] of pairs) await insertRow(store, { scope, intent });
    for (const [scope] of pairs) assert.equal((await store.list(scope)).length, 1, scope);
  });

  test('scopes may hold any text', async () => {
    await using harness = await open();
    const { store } = harness;
    const scopes = [
      '',
      '../alice',
      'ünï©ødé 🌍',
      "o'brien; drop table rows",
      '%_\\*?[a]',
      'a\0b',
      '\ud800',
      '\ud801',
      'x'.repeat(500),
    ];
    for (const scope of scopes) await insertRow(store, { scope, body: scope });
    for (const scope of scopes) {
      const rows = await store.list(scope);
      assert.deepEqual(
        rows.map((row) => [row.scope, row.body]),
        [[scope, scope]],
      );
    }
  });

  test('what other scopes have is counted', async () => {
    await using harness = await open();
    const { store } = harness;
    assert.equal(await store.countOthers('alice'), 0);
    await insertRow(store, { scope: 'alice' });
    const left = await insertRow(store, { scope: 'bob' });
    await insertRow(store, { scope: 'carol' });
    assert.equal(await store.countOthers('alice'), 2);
    assert.equal(await store.countOthers('dave'), 3);
    await store.remove(left);
    assert.equal(await store.countOthers('alice'), 1);
  });
}
