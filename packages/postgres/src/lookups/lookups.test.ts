import { newRequest, opaqueRequest, success } from '@onceward/conformance/requests';
import type { ReconcilingStore, ReserveRequest, UnknownRecord } from '@onceward/core/store';
import { afterAll, describe, expect, test } from 'vitest';
import { hold, impatient } from '../../test/hold-rows.ts';
import { openOldPartition } from '../../test/old-partition.ts';
import { openPool, openSchema } from '../../test/open-schema.ts';
import { postgresOperator } from '../operator/postgres-operator.ts';

const pool = openPool({ max: 8, ...impatient });
afterAll(() => pool.end());

async function openLookups() {
  const harness = await openSchema(pool);
  return { ...harness, operator: postgresOperator(pool, harness) };
}

/** A record that nobody knows the outcome of. */
async function doubted(store: ReconcilingStore, request: ReserveRequest = newRequest()) {
  await store.reserve(request);
  await store.doubt(request);
  return request;
}

const take = (store: ReconcilingStore, leaseMs = 60_000) =>
  store.takeUnknown({ limit: 10, leaseMs, operations: [newRequest().operation] });

async function takeOne(store: ReconcilingStore): Promise<UnknownRecord> {
  const [taken] = await take(store);
  expect(taken).toBeDefined();
  return taken!;
}

describe('a look-up', () => {
  test('is there however the state was changed, and as long as it is unknown', async () => {
    await using harness = await openLookups();
    const { schema, operator } = harness;
    for (const request of [newRequest(), opaqueRequest()]) {
      await harness.store.reserve(request);
      const change = (to: string) =>
        pool.query(
          `update "${schema}".${request.keyTimestampMs === null ? 'opaque_records' : 'records'}
              set ${to} where key::text = $1`,
          [request.key],
        );
      await change('state = 4, unknown_since = now()');
      expect(await operator.lookups()).toMatchObject([{ key: request.key, looks: 0 }]);
      await change('attempt = attempt + 1');
      expect(await operator.lookups()).toHaveLength(1);
      await change('state = 2');
      expect(await operator.lookups()).toEqual([]);
    }
  });

  test('follows a record that outlives its partition, and settles it there', async () => {
    await using harness = await openLookups();
    const { store } = harness;
    const old = await openOldPartition(pool, harness);
    const request = await doubted(store, old.request());
    await old.retireUntil('dropped');
    expect(await old.homes(request)).toEqual(['records']);
    const taken = await takeOne(store);
    expect(taken).toMatchObject({ key: request.key, keyTimestampMs: request.keyTimestampMs });
    const settlement = { kind: 'executed', completion: success() } as const;
    expect(await store.settle(taken, settlement)).toBe('settled');
    expect(await harness.operator.lookups()).toEqual([]);
  });

  test('is of a record in a partition that was made for it just now', async () => {
    await using harness = await openLookups();
    const ahead = newRequest({ keyTimestampMs: Date.now() + 10 * 24 * 60 * 60_000 });
    await doubted(harness.store, ahead);
    expect(await take(harness.store)).toMatchObject([{ key: ahead.key }]);
  });

  test('that was given back as gone stays while its record is unknown', async () => {
    await using harness = await openLookups();
    const { store, operator } = harness;
    await doubted(store);
    expect(await store.putOff(await takeOne(store), { kind: 'gone' })).toBe('lease-lost');
    expect(await operator.lookups()).toHaveLength(1);
  });

  test('that lost its record is gone when it is given back', async () => {
    await using harness = await openLookups();
    const { store, operator, schema } = harness;
    const { key } = await doubted(store);
    const taken = await takeOne(store);
    await pool.query(`delete from "${schema}".records where key = $1`, [key]);
    expect(await store.putOff(taken, { kind: 'gone' })).toBe('put-off');
    expect(await operator.lookups()).toEqual([]);
  });

  test('that somebody else is just taking is not waited for', async () => {
    await using harness = await openLookups();
    const { store, schema } = harness;
    await doubted(store);
    {
      await using held = await hold(pool, `select 1 from "${schema}".lookups for update`);
      const taking = take(store);
      expect(await held.untilBlocking(taking)).toBe('happened');
      expect(await taking).toEqual([]);
    }
    expect(await take(store)).toHaveLength(1);
  });
});

describe('an operator', () => {
  test('sees who is to find out, and what nobody will', async () => {
    await using harness = await openLookups();
    const { store, operator } = harness;
    const [waiting, looking, dead] = [newRequest(), newRequest(), opaqueRequest()];
    await doubted(store, dead);
    await store.putOff(await takeOne(store), { kind: 'dead' });
    await doubted(store, looking);
    await takeOne(store);
    await doubted(store, waiting);

    expect(await operator.lookups()).toEqual([
      expect.objectContaining({ key: dead.key, state: 'dead', looks: 1, keyTimestampMs: null }),
      expect.objectContaining({ key: looking.key, state: 'looking', looks: 1 }),
      expect.objectContaining({ key: waiting.key, state: 'waiting', looks: 0 }),
    ]);
    const [listed, ...others] = await operator.lookups({ state: 'dead' });
    expect(others).toEqual([]);
    expect(listed?.deadAt).toBeGreaterThanOrEqual(listed!.unknownSince);
    // What was listed can stand for its name.
    expect(await store.revive(listed!)).toBe('revived');
    expect(await operator.lookups({ state: 'dead' })).toEqual([]);
    expect(await operator.lookups({ limit: 1 })).toHaveLength(1);
    expect(await operator.lookups({ operation: 'nobody-declared-this' })).toEqual([]);
  });
});
