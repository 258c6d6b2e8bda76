import assert from 'node:assert/strict';
import type { AtomicDecision, AtomicResult, ReserveRequest } from '@onceward/core/store';
import type { EffectHarness, OpenHarness, StoreHarness, TestApi } from '../harness.ts';
import {
  again,
  assertReplays,
  fingerprintOf,
  leaseOf,
  newRequest,
  requestMintedAgo,
  success,
} from '../requests.ts';

const hour = 60 * 60_000;

/** Guarantees 13 and 14, for stores that have transactions. */
export function describeTransactions({ test }: TestApi, open: OpenHarness): void {
  test('an effect and the completion of its key commit together', async () => {
    await using harness = await openWithEffects(open);
    const request = newRequest();
    assert.deepEqual(await pay(harness, request), { kind: 'committed' });
    assert.equal(await paid(harness, request), 1);
    assertReplays(await harness.store.reserve(again(request)), success());
    assertReplays(await pay(harness, again(request)), success());
    assert.equal(await paid(harness, request), 1);
  });

  test('a decision to roll back leaves no effect and no record', async () => {
    await using harness = await openWithEffects(open);
    const request = newRequest();
    assert.deepEqual(await pay(harness, request, { kind: 'roll-back' }), { kind: 'rolled-back' });
    assert.equal(await paid(harness, request), 0);
    assert.equal(await harness.store.find(request), undefined);
    assert.deepEqual(await pay(harness, again(request)), { kind: 'committed' });
    assert.equal(await paid(harness, request), 1);
  });

  test('a handler that throws leaves no effect and no record, and its error comes back', async () => {
    await using harness = await openWithEffects(open);
    const request = newRequest();
    const failing = harness.effects.store.transact(request, async (transaction) => {
      await harness.effects.write(transaction, request.key);
      throw new RangeError('no such account');
    });
    await assert.rejects(failing, new RangeError('no such account'));
    assert.equal(await paid(harness, request), 0);
    assert.deepEqual(await pay(harness, again(request)), { kind: 'committed' });
  });

  test('a decision to discard undoes the effect and stores the failure', async () => {
    await using harness = await openWithEffects(open);
    const request = newRequest();
    const declined = {
      outcome: { kind: 'failure', answer: new Uint8Array([1]) },
      answerRetentionMs: 60_000,
    } as const;
    const decision = { kind: 'discard', completion: declined } as const;
    assert.deepEqual(await pay(harness, request, decision), { kind: 'committed' });
    assert.equal(await paid(harness, request), 0);
    assertReplays(await pay(harness, again(request)), declined);
  });

  test('of many concurrent transactions of one key, exactly one takes effect', async () => {
    await using harness = await openWithEffects(open);
    for (let key = 0; key < 4; key++) {
      const request = newRequest();
      const calls = Array.from({ length: 16 }, () => pay(harness, again(request)));
      const kinds = (await Promise.all(calls)).map(({ kind }) => kind);
      assert.equal(kinds.filter((kind) => kind === 'committed').length, 1, kinds.join());
      const answered = kinds.filter((kind) => kind === 'in-progress' || kind === 'completed');
      assert.equal(answered.length, 15, kinds.join());
      assert.equal(await paid(harness, request), 1);
    }
  });

  test('an input that differs is a mismatch once the key is completed', async () => {
    await using harness = await openWithEffects(open);
    const request = newRequest();
    await pay(harness, request);
    const other = again(request, { fingerprint: fingerprintOf('another input') });
    assert.equal((await pay(harness, other)).kind, 'mismatch');
    assert.equal(await paid(harness, request), 1);
  });

  test('a key older than its retention is not executed', async () => {
    await using harness = await openWithEffects(open);
    const request = requestMintedAgo(2 * hour, { keyRetentionMs: hour });
    assert.equal((await pay(harness, request)).kind, 'expired');
    assert.equal(await paid(harness, request), 0);
  });

  test('a live lease keeps a transaction out; a released or stale one lets it in', async () => {
    await using harness = await openWithEffects(open);
    const { store } = harness;
    const leased = newRequest();
    const lease = leaseOf(await store.reserve(leased));
    assert.equal((await pay(harness, again(leased))).kind, 'in-progress');
    await store.release(lease);
    assert.deepEqual(await pay(harness, again(leased)), { kind: 'committed' });
    assert.equal(await paid(harness, leased), 1);
    assertReplays(await store.reserve(again(leased)), success());

    const stale = newRequest({ leaseMs: 30 });
    const late = leaseOf(await store.reserve(stale));
    await harness.elapse(60);
    assert.deepEqual(await pay(harness, again(stale)), { kind: 'committed' });
    assert.equal(await store.complete(late, success('late')), 'lease-lost');
  });

  test('an unknown record is not executed, and a stale lease may become one', async () => {
    await using harness = await openWithEffects(open);
    const { store } = harness;
    const doubted = newRequest();
    await store.doubt(leaseOf(await store.reserve(doubted)));
    assert.equal((await pay(harness, again(doubted))).kind, 'unknown');
    const stale = newRequest({ leaseMs: 30, onStaleLease: 'unknown' });
    await store.reserve(stale);
    await harness.elapse(60);
    assert.equal((await pay(harness, again(stale))).kind, 'unknown');
    assert.equal((await store.find(stale))?.state, 'unknown');
    assert.equal(await paid(harness, stale), 0);
  });
}

type TransactionalHarness = StoreHarness & { readonly effects: EffectHarness };

async function openWithEffects(open: OpenHarness): Promise<TransactionalHarness> {
  const harness = await open();
  assert.ok(harness.effects, 'a store with transactions needs `effects` in its harness');
  return harness as TransactionalHarness;
}

function pay(
  { effects }: TransactionalHarness,
  request: ReserveRequest,
  decision: AtomicDecision = { kind: 'commit', completion: success() },
): Promise<AtomicResult> {
  return effects.store.transact(request, async (transaction) => {
    await effects.write(transaction, request.key);
    return decision;
  });
}

function paid({ effects }: TransactionalHarness, { key }: ReserveRequest): Promise<number> {
  return effects.count(key);
}
