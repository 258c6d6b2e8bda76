import { bytes, newRequest, opaqueRequest, success } from '@onceward/conformance/requests';
import { mintKey } from '@onceward/core';
import type { Completion, ReserveRequest } from '@onceward/core/store';
import { afterAll, describe, expect, test } from 'vitest';
import { openPool, openSchema, type OpenSchema } from '../../test/open-schema.ts';
import { postgresOperator } from './postgres-operator.ts';

const pool = openPool({ max: 8 });
afterAll(() => pool.end());

const hour = 60 * 60_000;
const sample = { mintedWithinMs: hour, sampleSize: 1_000 };
const failure: Completion = {
  outcome: { kind: 'failure', answer: bytes('declined') },
  answerRetentionMs: hour,
};

async function openOperator() {
  const harness = await openSchema(pool);
  return { ...harness, operator: postgresOperator(pool, harness) };
}

async function finish({ store }: OpenSchema, request: ReserveRequest, completion: Completion) {
  await store.reserve(request);
  await store.complete(request, completion);
}

/** A request whose key was minted so long ago. */
function minted(agoMs: number, changes: Partial<ReserveRequest> = {}): ReserveRequest {
  const keyTimestampMs = Date.now() - agoMs;
  const digits = keyTimestampMs.toString(16).padStart(12, '0');
  const key =
    `${digits.slice(0, 8)}-${digits.slice(8)}${mintKey().slice(13)}` as ReserveRequest['key'];
  return newRequest({ key, keyTimestampMs, ...changes });
}

describe('activity', () => {
  test('counts keys by the time they were minted at, and by what became of them', async () => {
    await using harness = await openOperator();
    const { store, operator } = harness;
    await finish(harness, minted(30 * 60_000), success());
    await finish(harness, minted(0), success());
    await finish(harness, minted(0, { operation: 'refund' }), failure);
    await store.reserve(minted(0, { leaseMs: 60_000 }));
    await store.reserve(minted(0, { leaseMs: 1 }));
    const released = minted(0);
    await store.reserve(released);
    await store.release(released);
    const unknown = minted(0);
    await store.reserve(unknown);
    await store.doubt(unknown);
    // Neither what is older than that, nor what has no time.
    await finish(harness, minted(2 * hour), success());
    await finish(harness, opaqueRequest(), success());
    await harness.elapse(20);

    const activity = await operator.activity({ ...sample, bucketMs: 15 * 60_000 });
    expect(activity.keys).toBe(7);
    expect(activity.knownSince).toBeUndefined();
    const total = (
      name: 'succeeded' | 'failed' | 'inProgress' | 'stuck' | 'released' | 'unknown',
    ) => activity.buckets.reduce((sum, bucket) => sum + bucket[name], 0);
    expect(total('succeeded')).toBe(2);
    for (const name of ['failed', 'inProgress', 'stuck', 'released', 'unknown'] as const) {
      expect([name, total(name)]).toEqual([name, 1]);
    }
    expect(activity.buckets.map(({ at }) => at % (15 * 60_000))).toEqual(
      activity.buckets.map(() => 0),
    );
    expect(activity.buckets[0]?.at).toBeLessThan(activity.databaseNow - 20 * 60_000);
    expect(activity.operations.find(({ operation }) => operation === 'refund')).toMatchObject({
      failed: 1,
      succeeded: 0,
    });
  });

  test('says since when it knows anything, if there are more keys than it may read', async () => {
    await using harness = await openOperator();
    for (const minutes of [50, 40, 2, 1])
      await finish(harness, minted(minutes * 60_000), success());
    const activity = await harness.operator.activity({
      ...{ mintedWithinMs: hour, sampleSize: 2, bucketMs: 60_000 },
    });
    expect(activity.keys).toBe(2);
    expect(activity.knownSince).toBeGreaterThan(Date.now() - 5 * 60_000);
  });

  test('reads the index of each partition, and nothing that is older', async () => {
    await using harness = await openSchema(pool, {
      partitions: { widthMs: 60 * 60_000, horizonMs: 24 * hour },
    });
    await using client = Object.assign(await pool.connect(), {
      async [Symbol.asyncDispose]() {
        client.release();
      },
    });
    const { newestRecords, sampleValues } = await import('./newest-records.ts');
    await client.query('begin');
    await client.query('set local enable_seqscan = off');
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `explain (costs off) select * from ${newestRecords(`"${harness.schema}"`)} as newest`,
      sampleValues(sample),
    );
    await client.query('rollback');
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/Index Cond: \(id >= /);
    expect(plan).not.toMatch(/Sort Key: .*\n.*Seq Scan/);
  });
});

describe('slow', () => {
  test('lists what is in progress by its lease, and what took longest', async () => {
    await using harness = await openOperator();
    const { store, operator } = harness;
    const [held, stuck] = [minted(0, { leaseMs: 60_000 }), minted(0, { leaseMs: 1 })];
    const opaque = opaqueRequest({ leaseMs: 30_000 });
    for (const request of [held, opaque, stuck]) await store.reserve(request);
    const [slow, fast] = [minted(20 * 60_000), minted(0)];
    for (const request of [fast, slow]) {
      await finish(harness, request, { ...success(), answerRetentionMs: hour });
    }
    // Kept for longer than was said: it would be completed in the future.
    await finish(harness, minted(0), { ...success(), answerRetentionMs: 5 * hour });
    const found = await operator.slow({ ...sample, answerRetentionMs: hour, limit: 10 });
    expect(found.inProgress.map(({ key }) => key)).toEqual([stuck.key, opaque.key, held.key]);
    expect(found.completed.map(({ key }) => key)).toEqual([slow.key, fast.key]);
    expect(found.completed[0]?.tookMs).toBeGreaterThan(19 * 60_000);
    expect(found.completed[0]?.tookMs).toBeLessThan(21 * 60_000);
    expect(JSON.stringify(found)).not.toContain('body');
  });
});

test('unknown records are counted by who is to find out', async () => {
  await using harness = await openOperator();
  const { store, operator } = harness;
  expect(await operator.lookupCounts()).toEqual([]);
  for (const request of [minted(0), opaqueRequest()]) {
    await store.reserve(request);
    await store.doubt(request);
  }
  expect(await operator.lookupCounts()).toMatchObject([{ state: 'waiting', count: 2 }]);
});

test('a record is found by its id, and whoever sees its answer is written down', async () => {
  await using harness = await openOperator();
  const { operator } = harness;
  for (const request of [minted(0), opaqueRequest()]) {
    await finish(harness, request, success('secret'));
    const [listed] = await operator.findByKey(request.key);
    expect(await operator.findById(listed!.recordId)).toEqual(listed);
    expect((await operator.show(request, { actor: 'grace' }))?.audit).toEqual([]);
    const shown = await operator.show(request, { answer: true, actor: 'grace' });
    expect(Buffer.from(shown!.answer!).toString()).toBe('secret');
    expect((await operator.show(request))?.audit).toMatchObject([
      { actor: 'grace', action: 'view answer', recordId: listed!.recordId, jobId: null },
    ]);
  }
  await expect(operator.findById('x')).rejects.toThrow('`recordId`');
  expect(await operator.findById('00000000-0000-0000-0000-000000000000')).toBeUndefined();
});

test('a statement that takes too long is given up by the database', async () => {
  await using harness = await openSchema(pool);
  const operator = postgresOperator(pool, { ...harness, statementTimeoutMs: 50 });
  await using client = Object.assign(await pool.connect(), {
    async [Symbol.asyncDispose]() {
      await client.query('rollback');
      client.release();
    },
  });
  await client.query('begin');
  await client.query(`lock table "${harness.schema}".lookups in access exclusive mode`);
  await expect(operator.lookups()).rejects.toMatchObject({ code: '57014' });
  expect(() => postgresOperator(pool, { statementTimeoutMs: 0 })).toThrow('`statementTimeoutMs`');
});
