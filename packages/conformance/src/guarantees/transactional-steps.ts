import assert from 'node:assert/strict';
import type { Lease, StepResult } from '@onceward/core/store';
import type { EffectHarness, OpenHarness, StoreHarness, TestApi } from '../harness.ts';
import { again, granted, newRequest } from '../requests.ts';

const entry = new Uint8Array([1, 0, 255]);

/** Guarantee 16: a step and the entry that says it is done commit together. */
export function describeTransactionalSteps({ test }: TestApi, open: OpenHarness): void {
  test('a step and its entry commit together, after what was saved before', async () => {
    await using harness = await openWithLease(open);
    const { store, lease, effects, request } = harness;
    const before = new Uint8Array([7]);
    assert.equal(await store.saveProgress(lease, before), 'saved');
    assert.deepEqual(await takeStep(effects, lease), { kind: 'saved' });
    assert.equal(await effects.count(lease.key), 1);
    await store.release(lease);
    const { progress } = granted(await store.reserve(again(request)));
    assert.deepEqual([...progress], [...before, ...entry]);
  });

  test('a step that throws leaves no effect and no entry, and its error comes back', async () => {
    await using harness = await openWithLease(open);
    const { store, lease, effects, request } = harness;
    const failing = effects.store.transactStep(lease, async (transaction) => {
      await effects.write(transaction, lease.key);
      throw new RangeError('no such account');
    });
    await assert.rejects(failing, new RangeError('no such account'));
    assert.equal(await effects.count(lease.key), 0);
    await store.release(lease);
    assert.equal(granted(await store.reserve(again(request))).progress.length, 0);
  });

  test('a lease that is not held any more undoes the step', async () => {
    await using harness = await openWithLease(open);
    const { store, lease, effects, request } = harness;
    await store.release(lease);
    assert.deepEqual(await takeStep(effects, lease), { kind: 'lease-lost' });
    const next = granted(await store.reserve(again(request)));
    assert.deepEqual(await takeStep(effects, lease), { kind: 'lease-lost' });
    assert.equal(await effects.count(lease.key), 0);
    assert.equal(next.progress.length, 0);
  });
}

/** As the group above, for stores whose transactions run side by side. */
export function describeHeldSteps({ test }: TestApi, open: OpenHarness): void {
  test('a lease that is lost while the step runs undoes the step', async () => {
    await using harness = await openWithLease(open);
    const { store, lease, effects } = harness;
    const lost = await effects.store.transactStep(lease, async (transaction) => {
      await effects.write(transaction, lease.key);
      assert.equal(await store.release(lease), 'released');
      return entry;
    });
    assert.deepEqual(lost, { kind: 'lease-lost' });
    assert.equal(await effects.count(lease.key), 0);
  });

  test('a lease can be renewed while the step runs', async () => {
    await using harness = await openWithLease(open);
    const { store, lease, effects } = harness;
    const saved = await effects.store.transactStep(lease, async (transaction) => {
      await effects.write(transaction, lease.key);
      assert.equal(await store.renew(lease, 60_000), 'renewed');
      return entry;
    });
    assert.deepEqual(saved, { kind: 'saved' });
  });

  test('a commit that arrived, and whose answer was lost, is saved and took effect once', async () => {
    await using harness = await openWithLease(open);
    const { lease, effects } = harness;
    assert.ok(effects.losingCommits);
    const through = { ...effects, store: effects.losingCommits.answer };
    assert.deepEqual(await takeStep(through, lease), { kind: 'saved' });
    assert.equal(await effects.count(lease.key), 1);
  });

  test('a commit that never arrived is rolled back, and leaves neither effect nor entry', async () => {
    await using harness = await openWithLease(open);
    const { store, lease, effects, request } = harness;
    assert.ok(effects.losingCommits);
    const through = { ...effects, store: effects.losingCommits.request };
    assert.equal((await takeStep(through, lease)).kind, 'rolled-back');
    assert.equal(await effects.count(lease.key), 0);
    await store.release(lease);
    assert.equal(granted(await store.reserve(again(request))).progress.length, 0);
  });
}

function takeStep(effects: EffectHarness, lease: Lease): Promise<StepResult> {
  return effects.store.transactStep(lease, async (transaction) => {
    await effects.write(transaction, lease.key);
    return entry;
  });
}

async function openWithLease(open: OpenHarness) {
  const harness: StoreHarness = await open();
  const { store, effects } = harness;
  assert.ok(effects, 'a store with transactions needs `effects` in its harness');
  const request = newRequest({ onStaleLease: 're-execute' });
  const { lease } = granted(await store.reserve(request));
  const close = () => harness[Symbol.asyncDispose]();
  return { store, effects, request, lease, [Symbol.asyncDispose]: close };
}
