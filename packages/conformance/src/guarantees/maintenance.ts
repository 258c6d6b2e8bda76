import assert from 'node:assert/strict';
import type { PruneReport, ReserveRequest, Store, SweepReport } from '@onceward/core/store';
import type { OpenHarness, TestApi } from '../harness.ts';
import {
  again,
  assertReplays,
  bytes,
  granted,
  leaseOf,
  newRequest,
  opaqueRequest,
  requestMintedAgo,
  success,
} from '../requests.ts';

/** Guarantee 8, and what sweeping and pruning do. */
export function describeMaintenance({ test }: TestApi, open: OpenHarness): void {
  test('sweeping frees or doubts leases that ran out, by policy, and leaves live ones alone', async () => {
    await using harness = await open();
    const { store } = harness;
    const safe = newRequest({ leaseMs: 30 });
    const unsafe = newRequest({ leaseMs: 30, onStaleLease: 'unknown' });
    const opaque = opaqueRequest({
      key: 'a-foreign-key-0001',
      leaseMs: 30,
      onStaleLease: 'unknown',
    });
    const live = newRequest({ onStaleLease: 'unknown' });
    const done = newRequest({ leaseMs: 30, onStaleLease: 'unknown' });
    for (const request of [safe, unsafe, opaque, live]) await store.reserve(request);
    await store.complete(leaseOf(await store.reserve(done)), success());
    await harness.elapse(60);

    assert.deepEqual(await sweepAll(store), { released: 1, unknown: 2 });
    assert.equal((await store.find(safe))?.state, 'released');
    assert.equal((await store.find(unsafe))?.state, 'unknown');
    assert.equal((await store.find(opaque))?.state, 'unknown');
    assert.equal((await store.find(live))?.state, 'in-progress');
    assertReplays(await store.reserve(again(done)), success());
    assert.deepEqual(await sweepAll(store), { released: 0, unknown: 0 });
  });

  test('a record that was swept keeps its progress and its attempt count', async () => {
    await using harness = await open();
    const { store } = harness;
    const request = newRequest({ leaseMs: 120 });
    await store.saveProgress(leaseOf(await store.reserve(request)), bytes('step one'));
    await harness.elapse(200);
    await sweepAll(store);
    const next = granted(await store.reserve(again(request)));
    assert.equal(next.attempt, 2);
    assert.equal(new TextDecoder().decode(next.progress), 'step one');
  });

  test('a holder whose lease was swept can change nothing once it is free', async () => {
    await using harness = await open();
    const { store } = harness;
    const request = newRequest({ leaseMs: 30 });
    const stale = leaseOf(await store.reserve(request));
    await harness.elapse(60);
    await sweepAll(store);
    assert.equal(await store.complete(stale, success('stale')), 'lease-lost');
    assert.equal(await store.renew(stale, 1_000), 'lease-lost');
    granted(await store.reserve(again(request)));
  });

  test('records past their key’s retention are pruned, and their keys are expired', async () => {
    await using harness = await open();
    const { store } = harness;
    const completed = newRequest({ keyRetentionMs: 500 });
    await store.complete(leaseOf(await store.reserve(completed)), success('old', 100));
    const released = newRequest({ keyRetentionMs: 500 });
    await store.release(leaseOf(await store.reserve(released)));
    await harness.elapse(600);
    await pruneAll(store);
    for (const request of [completed, released]) {
      assert.equal(await store.find(request), undefined);
      assert.equal((await store.reserve(again(request))).kind, 'expired');
    }
  });

  test('records that are in progress or unknown are never pruned, however old', async () => {
    await using harness = await open();
    const { store } = harness;
    // Each is minted when it is used: on a busy machine the first would be too old for the last.
    const reserveYoung = async (overrides: Partial<ReserveRequest>) => {
      const request = newRequest({ keyRetentionMs: 500, ...overrides });
      return { request, lease: leaseOf(await store.reserve(request)) };
    };
    const { request: live } = await reserveYoung({});
    const { request: stale } = await reserveYoung({ leaseMs: 30, onStaleLease: 'unknown' });
    const doubted = await reserveYoung({ onStaleLease: 'unknown' });
    const opaque = await reserveYoung(
      opaqueRequest({ key: 'a-foreign-key-0002', keyRetentionMs: 50 }),
    );
    for (const { lease } of [doubted, opaque]) await store.doubt(lease);
    await harness.elapse(600);
    await pruneAll(store);
    assert.equal((await store.find(live))?.state, 'in-progress');
    assert.equal((await store.find(stale))?.state, 'in-progress');
    assert.equal((await store.find(doubted.request))?.state, 'unknown');
    assert.equal((await store.find(opaque.request))?.state, 'unknown');
  });

  test('age counts from the key’s own time: a key from a fast clock outlives its row’s age', async () => {
    await using harness = await open();
    const { store } = harness;
    const request = requestMintedAgo(-30_000, { keyRetentionMs: 50, maxClockSkewMs: 0 });
    await store.release(leaseOf(await store.reserve(request)));
    await harness.elapse(120);
    await pruneAll(store);
    assert.equal((await store.find(request))?.state, 'released');
  });

  test('records outlive their retention by the clock skew that is allowed for', async () => {
    await using harness = await open();
    const { store } = harness;
    const request = newRequest({ keyRetentionMs: 500, maxClockSkewMs: 30_000 });
    await store.release(leaseOf(await store.reserve(request)));
    await harness.elapse(600);
    await pruneAll(store);
    assert.equal((await store.find(request))?.state, 'released');
  });

  test('records of keys that are kept for ever are never pruned', async () => {
    await using harness = await open();
    const { store } = harness;
    const request = newRequest({ keyRetentionMs: Infinity });
    const opaque = opaqueRequest({ key: 'a-foreign-key-0003', keyRetentionMs: Infinity });
    for (const kept of [request, opaque]) {
      await store.complete(leaseOf(await store.reserve(kept)), success('kept', Infinity));
    }
    await pruneAll(store);
    for (const kept of [request, opaque]) {
      assertReplays(await store.reserve(again(kept)), success('kept'));
    }
  });

  test('a record that was completed late is kept for as long as its answer was promised', async () => {
    await using harness = await open();
    const { store } = harness;
    for (const request of [
      newRequest({ keyRetentionMs: 500 }),
      opaqueRequest({ key: 'a-foreign-key-0005', keyRetentionMs: 500 }),
    ]) {
      const lease = leaseOf(await store.reserve(request));
      await harness.elapse(600);
      await store.complete(lease, success('late', 60_000));
      await pruneAll(store);
      assertReplays(await store.reserve(again(request)), success('late'));
    }
  });

  test('answers past their retention are dropped while the key stays taken', async () => {
    await using harness = await open();
    const { store } = harness;
    const request = newRequest();
    await store.complete(leaseOf(await store.reserve(request)), success('short-lived', 40));
    await harness.elapse(80);
    assert.equal((await pruneAll(store)).answersDropped, 1);
    assert.equal((await pruneAll(store)).answersDropped, 0);
    const gone = { kind: 'unavailable', reason: 'expired' } as const;
    const replay = await store.reserve(again(request));
    assertReplays(replay, { outcome: gone, answerRetentionMs: 0 });
  });

  test('maintenance goes page by page and reaches every record', async () => {
    await using harness = await open();
    const { store } = harness;
    const requests = Array.from({ length: 25 }, () => newRequest({ leaseMs: 30 }));
    for (const request of requests) await store.reserve(request);
    await harness.elapse(60);
    const firstPage = await store.sweep({ limit: 10 });
    // Redis may look at a few more than asked; nobody looks at everything.
    assert.ok(firstPage.released <= 20, `${firstPage.released}`);
    const { released } = await sweepAll(store, { limit: 10 });
    assert.equal(firstPage.released + released, 25);
    for (const request of requests) assert.equal((await store.find(request))?.state, 'released');
  });

  test('statistics count records by state and leases that ran out', async () => {
    await using harness = await open();
    const { store } = harness;
    await store.reserve(newRequest());
    await store.reserve(newRequest({ leaseMs: 30 }));
    await store.release(leaseOf(await store.reserve(newRequest())));
    await store.doubt(leaseOf(await store.reserve(newRequest())));
    await store.complete(leaseOf(await store.reserve(newRequest())), success());
    await store.complete(
      leaseOf(await store.reserve(opaqueRequest({ key: 'a-foreign-key-0004' }))),
      success(),
    );
    await harness.elapse(60);
    assert.deepEqual(await store.stats(), {
      records: { 'in-progress': 2, released: 1, unknown: 1, completed: 2 },
      staleLeases: 1,
    });
  });
}

async function sweepAll(store: Store, { limit } = { limit: 100 }) {
  const total = { released: 0, unknown: 0 };
  let cursor: string | undefined;
  do {
    const report: SweepReport = await store.sweep({ limit, cursor });
    total.released += report.released;
    total.unknown += report.unknown;
    cursor = report.cursor;
  } while (cursor !== undefined);
  return total;
}

async function pruneAll(store: Store) {
  const total = { pruned: 0, answersDropped: 0 };
  let cursor: string | undefined;
  do {
    const report: PruneReport = await store.prune({ limit: 100, cursor });
    total.pruned += report.pruned;
    total.answersDropped += report.answersDropped;
    cursor = report.cursor;
  } while (cursor !== undefined);
  return total;
}
