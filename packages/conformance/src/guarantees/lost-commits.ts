import assert from 'node:assert/strict';
import type { AtomicResult, ReserveRequest, TransactionalStore } from '@onceward/core/store';
import type { EffectHarness, OpenHarness, TestApi } from '../harness.ts';
import { again, assertReplays, newRequest, success } from '../requests.ts';

/** Guarantee 15: what became of a commit that nobody confirmed is looked up, never guessed. */
export function describeLostCommits({ test }: TestApi, open: OpenHarness): void {
  test('a commit that arrived, and whose answer was lost, is committed and took effect once', async () => {
    await using harness = await open();
    const { effects, losing } = needed(harness.effects);
    const request = newRequest();
    assert.deepEqual(await pay(losing.answer, effects, request), { kind: 'committed' });
    assert.equal(await effects.count(request.key), 1);
    assertReplays(await pay(effects.store, effects, again(request)), success());
    assert.equal(await effects.count(request.key), 1);
  });

  test('a commit that never arrived is rolled back, and the next attempt executes', async () => {
    await using harness = await open();
    const { effects, losing } = needed(harness.effects);
    const request = newRequest();
    assert.deepEqual(await pay(losing.request, effects, request), { kind: 'rolled-back' });
    assert.equal(await effects.count(request.key), 0);
    assert.deepEqual(await pay(effects.store, effects, again(request)), { kind: 'committed' });
    assert.equal(await effects.count(request.key), 1);
  });
}

function needed(effects: EffectHarness | undefined) {
  const losing = effects?.losingCommits;
  assert.ok(effects && losing, 'concurrent transactions need `effects.losingCommits`');
  return { effects, losing };
}

function pay(
  store: TransactionalStore<unknown>,
  effects: EffectHarness,
  request: ReserveRequest,
): Promise<AtomicResult> {
  return store.transact(request, async (transaction) => {
    await effects.write(transaction, request.key);
    return { kind: 'commit', completion: success() };
  });
}
