import assert from 'node:assert/strict';
import type { ReconcilingStore, ReserveRequest, UnknownRecord } from '@onceward/core/store';
import type { OpenHarness, TestApi } from '../harness.ts';
import { again, leaseOf, newRequest, newToken, opaqueRequest, success } from '../requests.ts';

/** Guarantees 17 to 20: somebody looks into every unknown record, one at a time. */
export function describeReconciling({ test }: TestApi, open: OpenHarness): void {
  test('a record is due as soon as it is unknown, with all that is needed to find it', async () => {
    await using harness = await openReconciling(open);
    const { store, take } = harness;
    for (const request of [newRequest(harness), opaqueRequest(harness)]) {
      await becomeUnknown(store, request);
      const [record, ...others] = await take();
      assert.ok(record);
      assert.deepEqual(others, []);
      const { scope, key, keyTimestampMs } = request;
      const { operation } = harness;
      assert.deepEqual(
        { ...record, unknownSince: 0, token: '' },
        { scope, key, keyTimestampMs, operation, attempt: 1, unknownSince: 0, look: 1, token: '' },
      );
      const found = await store.find(request);
      assert.equal(record.unknownSince, found?.unknownSince);
      assert.equal(await store.settle(record, { kind: 'not-executed', quietMs: 0 }), 'settled');
    }
  });

  test('a lease that ran out under the policy `unknown` is due after a sweep', async () => {
    await using harness = await openReconciling(open);
    const { store, take, elapse } = harness;
    await store.reserve(newRequest({ ...harness, leaseMs: 20, onStaleLease: 'unknown' }));
    await elapse(40);
    assert.deepEqual(await take(), []);
    let cursor: string | undefined;
    do ({ cursor } = await store.sweep({ limit: 1_000, cursor }));
    while (cursor !== undefined);
    assert.equal((await take()).length, 1);
  });

  test('of many who ask at once, one gets each record', async () => {
    await using harness = await openReconciling(open);
    const { store, take } = harness;
    const requests = Array.from({ length: 12 }, () => newRequest(harness));
    await Promise.all(requests.map((request) => becomeUnknown(store, request)));
    const taken = await Promise.all(Array.from({ length: 8 }, () => take({ limit: 4 })));
    // Whoever was in the way of somebody else may have got fewer.
    const keys = [...taken.flat(), ...(await take())].map(({ key }) => key);
    assert.deepEqual(keys.sort(), requests.map(({ key }) => key).sort());
  });

  test('a limit is kept to, and other operations are left alone', async () => {
    await using harness = await openReconciling(open);
    const { store, take } = harness;
    for (let count = 0; count < 3; count++) await becomeUnknown(store, newRequest(harness));
    await becomeUnknown(store, newRequest({ operation: `other-${harness.operation}` }));
    assert.equal((await take({ limit: 2 })).length, 2);
    assert.equal((await take({ limit: 2 })).length, 1);
  });

  test('nobody else gets a record while its time has not run out, and somebody does then', async () => {
    await using harness = await openReconciling(open);
    const { store, take, elapse } = harness;
    await becomeUnknown(store, newRequest(harness));
    const [first] = await take({ leaseMs: 1_000 });
    assert.ok(first);
    assert.deepEqual(await take(), []);
    await elapse(1_100);
    const [second] = await take();
    assert.equal(second?.key, first.key);
    assert.equal(second.look, 2);
    assert.equal(await store.putOff(first, { kind: 'dead' }), 'lease-lost');
    assert.equal(await store.putOff(second, { kind: 'later', delayMs: 60_000 }), 'put-off');
  });

  test('a record that was put off is due when that time is over', async () => {
    await using harness = await openReconciling(open);
    const { store, take, elapse } = harness;
    await becomeUnknown(store, newRequest(harness));
    const record = await takeOne(take);
    await store.putOff(record, { kind: 'later', delayMs: 1_000 });
    assert.deepEqual(await take(), []);
    await elapse(1_100);
    assert.equal((await takeOne(take)).look, 2);
  });

  test('a dead record is due only when it is revived, and then starts anew', async () => {
    await using harness = await openReconciling(open);
    const { store, take, elapse } = harness;
    const request = newRequest(harness);
    await becomeUnknown(store, request);
    assert.equal(await store.revive(request), 'not-dead');
    await store.putOff(await takeOne(() => take({ leaseMs: 1 })), { kind: 'dead' });
    await elapse(60);
    assert.deepEqual(await take(), []);
    assert.equal(await store.revive(request), 'revived');
    assert.equal((await takeOne(take)).look, 1);
    assert.equal(await store.revive(request), 'not-dead');
  });

  test('a record that was settled, completed or is gone is not handed out', async () => {
    await using harness = await openReconciling(open);
    const { store, take, elapse } = harness;
    const settled = newRequest(harness);
    await becomeUnknown(store, settled);
    await store.settle(settled, { kind: 'executed', completion: success() });
    const completed = newRequest(harness);
    await becomeUnknown(store, completed);
    await store.complete(completed, success());
    const gone = newRequest(harness);
    await becomeUnknown(store, gone);
    await store.putOff(await takeOne(take), { kind: 'gone' });
    await store.settle(gone, { kind: 'not-executed', quietMs: 0 });
    await elapse(60);
    assert.deepEqual(await take(), []);
  });

  test('a record that is unknown once more starts anew', async () => {
    await using harness = await openReconciling(open);
    const { store, take } = harness;
    const request = newRequest(harness);
    await becomeUnknown(store, request);
    await store.putOff(await takeOne(take), { kind: 'dead' });
    await store.settle(request, { kind: 'not-executed', quietMs: 0 });
    assert.equal(await store.revive(request), 'not-dead');
    await becomeUnknown(store, again(request));
    const record = await takeOne(take);
    assert.deepEqual([record.look, record.attempt], [1, 2]);
  });
}

/** An operation of its own, so that tests can share one database. */
async function openReconciling(open: OpenHarness) {
  const harness = await open();
  const store = harness.store as ReconcilingStore;
  const operation = `pay-${newToken()}`;
  const take = (options: { limit?: number; leaseMs?: number } = {}) =>
    store.takeUnknown({ limit: 100, leaseMs: 60_000, operations: [operation], ...options });
  return {
    store,
    operation,
    take,
    elapse: (ms: number) => harness.elapse(ms),
    [Symbol.asyncDispose]: () => harness[Symbol.asyncDispose](),
  };
}

async function becomeUnknown(store: ReconcilingStore, request: ReserveRequest): Promise<void> {
  await store.doubt(leaseOf(await store.reserve(request)));
}

async function takeOne(take: () => Promise<readonly UnknownRecord[]>): Promise<UnknownRecord> {
  const [record] = await take();
  assert.ok(record, 'a record is due');
  return record;
}
