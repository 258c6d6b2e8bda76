import assert from 'node:assert/strict';
import type { AtomicDecision } from '@onceward/core/store';
import type { OpenHarness, TestApi } from '../harness.ts';
import { again, assertReplays, granted, newRequest, success } from '../requests.ts';

/**
 * Guarantee 13 while a transaction is open, for stores whose transactions run side by side.
 *
 * An embedded database with a single connection serialises them and can leave this group out.
 */
export function describeHeldTransactions({ test }: TestApi, open: OpenHarness): void {
  test('a duplicate of an open transaction is told at once, and does not wait for it', async () => {
    await using harness = await open();
    const store = harness.effects?.store;
    assert.ok(store);
    const request = newRequest();
    const decision = deferred<AtomicDecision>();
    const entered = deferred<void>();
    const first = store.transact(request, () => {
      entered.resolve();
      return decision.promise;
    });
    const executed = () => assert.fail('a duplicate must not execute');
    try {
      await entered.promise;
      const duplicate = await store.transact(again(request), executed);
      assert.equal(duplicate.kind, 'in-progress');
      assert.ok((duplicate as { retryAfterMs: number }).retryAfterMs > 0);
    } finally {
      // Also when the test fails: an open transaction would keep its harness from closing.
      decision.resolve({ kind: 'commit', completion: success() });
    }
    assert.deepEqual(await first, { kind: 'committed' });
    assertReplays(await store.transact(again(request), executed), success());
  });

  test('a lease granted while a transaction was open undoes the transaction', async () => {
    await using harness = await open();
    const { store, effects } = harness;
    assert.ok(effects);
    const request = newRequest();
    const result = await effects.store.transact(request, async (transaction) => {
      await effects.write(transaction, request.key);
      // The same mutation under another effect, as after a change of its declaration.
      granted(await store.reserve(again(request)));
      return { kind: 'commit', completion: success() };
    });
    assert.equal(result.kind, 'in-progress');
    assert.equal(await effects.count(request.key), 0);
  });
}

function deferred<T>() {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((fulfil) => (resolve = fulfil));
  return { promise, resolve };
}
