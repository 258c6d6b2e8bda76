import { again, newRequest, success } from '@onceward/conformance/requests';
import { afterAll, describe, expect, test } from 'vitest';
import { impatient } from '../../test/hold-rows.ts';
import { openPool, openSchema } from '../../test/open-schema.ts';
import { migrate } from '../migrate.ts';
import { postgresStore } from '../postgres-store.ts';
import type { PartitionOptions } from './partition-options.ts';

const pool = openPool({ max: 8, ...impatient });
afterAll(() => pool.end());

const day = 24 * 60 * 60_000;

describe('the layout', () => {
  test('is a partition for each day, and a week and five minutes, unless told otherwise', async () => {
    await using harness = await openSchema(pool);
    expect(await layoutOf(harness.schema)).toEqual([{ width: day, horizon: 605_100_000 }]);
  });

  test('is as wide and as old as asked for', async () => {
    const partitions = { widthMs: 3_600_000, horizonMs: 7_200_000 };
    await using harness = await openSchema(pool, { partitions });
    expect(await layoutOf(harness.schema)).toEqual([{ width: 3_600_000, horizon: 7_200_000 }]);
  });

  test('is one plain table where partitions are not wanted', async () => {
    await using harness = await openSchema(pool, { partitions: false });
    const { schema, store } = harness;
    await store.reserve(newRequest());
    await store.prune({ limit: 10 });
    const { rows } = await pool.query(`select * from "${schema}".partitions`);
    expect(rows).toEqual([]);
    expect(await countIn(schema, 'records')).toBe(1);
    expect(await migrate(pool, { schema, partitions: false })).toEqual([]);
  });

  test.each([
    { widthMs: 0 },
    { widthMs: 1.5 },
    { widthMs: Infinity },
    { horizonMs: -1 },
    { horizonMs: '7 days' as unknown as number },
  ] satisfies PartitionOptions[])(
    '%j is refused, by the name of the option',
    async (partitions) => {
      const [name] = Object.keys(partitions);
      const migrating = migrate(pool, { schema: 'never_made', partitions });
      await expect(migrating).rejects.toThrow(TypeError);
      await expect(migrating).rejects.toThrow(`\`partitions.${name}\``);
    },
  );
});

describe('a layout that is there', () => {
  test('stays when nobody asks for another', async () => {
    await using plain = await openSchema(pool, { partitions: false });
    await migrate(pool, plain);
    expect(await layoutOf(plain.schema)).toMatchObject([{ width: null }]);
    await using hourly = await openSchema(pool, { partitions: { widthMs: 3_600_000 } });
    await migrate(pool, { schema: hourly.schema });
    expect(await layoutOf(hourly.schema)).toMatchObject([{ width: 3_600_000 }]);
  });

  test('gets another horizon, but no other width, and is not joined again', async () => {
    await using harness = await openSchema(pool);
    const { schema } = harness;
    await migrate(pool, { schema, partitions: { horizonMs: 3 * day } });
    expect(await layoutOf(schema)).toEqual([{ width: day, horizon: 3 * day }]);
    const narrower = migrate(pool, { schema, partitions: { widthMs: 3_600_000 } });
    await expect(narrower).rejects.toThrow(/are 86400000 ms wide, and this cannot be changed/);
    const joined = migrate(pool, { schema, partitions: false });
    await expect(joined).rejects.toThrow(/have partitions, and cannot be put into one table again/);
    expect(await layoutOf(schema)).toEqual([{ width: day, horizon: 3 * day }]);
  });
});

describe('a plain table that gets partitions', () => {
  test('keeps the records it has, and gives the next keys partitions', async () => {
    await using harness = await openSchema(pool, { partitions: false });
    const { schema } = harness;
    const before = newRequest();
    // Servers that are running know nothing of it.
    const running = harness.store;
    await running.reserve(before);
    await migrate(pool, { schema, partitions: {} });
    const started = postgresStore(pool, { schema });

    expect(await running.complete(before, success())).toBe('completed');
    expect(await started.reserve(again(before))).toMatchObject({ kind: 'completed' });
    const { rows } = await pool.query(`select floor_ms > $1 as later from "${schema}".layout`, [
      before.keyTimestampMs,
    ]);
    expect(rows).toEqual([{ later: true }]);

    const after = newRequest({ keyTimestampMs: Date.now() + 2 * day });
    const stores = [running, started];
    const kinds = await Promise.all(stores.map((store) => store.reserve(again(after))));
    expect(kinds.map(({ kind }) => kind).sort()).toEqual(['in-progress', 'reserved']);
    expect(await countIn(schema, 'records')).toBe(1);
  });

  test('gets none for the keys that it has already', async () => {
    await using harness = await openSchema(pool, { partitions: false });
    const { schema, store } = harness;
    const before = newRequest();
    await store.reserve(before);
    await migrate(pool, { schema, partitions: {} });
    await store.prune({ limit: 10 });
    const { rows } = await pool.query(
      `select distinct start_ms > $1 as later from "${schema}".partition_spans`,
      [before.keyTimestampMs],
    );
    expect(rows).toEqual([{ later: true }]);
  });

  test('a server that knows nothing of it takes no effect twice', async () => {
    await using harness = await openSchema(pool, { partitions: false });
    const { schema, effects, store: running } = harness;
    await running.verify();
    await migrate(pool, { schema, partitions: {} });
    const started = postgresStore(pool, { schema });
    const request = newRequest({ keyTimestampMs: Date.now() + 2 * day });
    const pay = (store: typeof running) =>
      store.transact(again(request), async (client) => {
        await effects.write(client, request.key);
        return { kind: 'commit', completion: success() };
      });
    expect(await pay(started)).toEqual({ kind: 'committed' });
    // It looks in the wrong place, executes, and is refused when it wants to write that down.
    await expect(pay(running)).rejects.toMatchObject({ code: '23514' });
    expect(await effects.count(request.key)).toBe(1);
    expect(await pay(running)).toMatchObject({ kind: 'completed' });
    expect(await effects.count(request.key)).toBe(1);
  });
});

describe('a store whose idea of the layout is outdated', () => {
  test('asks again when it is refused', async () => {
    await using harness = await openSchema(pool, { partitions: { widthMs: 7 * day } });
    const { schema, store } = harness;
    await store.verify();
    await pool.query(`drop schema "${schema}" cascade`);
    await migrate(pool, { schema, partitions: { widthMs: day } });
    const request = newRequest();
    expect(await store.reserve(request)).toMatchObject({ kind: 'reserved' });
    expect(await postgresStore(pool, { schema }).reserve(again(request))).toMatchObject({
      kind: 'in-progress',
    });
  });

  test('does not run a handler twice because of it', async () => {
    await using harness = await openSchema(pool);
    const { store } = harness;
    let runs = 0;
    const missing = Object.assign(new Error('no such table'), { code: '42P01' });
    const failing = store.transact(newRequest(), async () => {
      runs++;
      throw missing;
    });
    await expect(failing).rejects.toBe(missing);
    expect(runs).toBe(1);
  });
});

async function layoutOf(schema: string): Promise<unknown[]> {
  const { rows } = await pool.query(
    `select width_ms::float8 as width, horizon_ms::float8 as horizon from "${schema}".layout`,
  );
  return rows;
}

async function countIn(schema: string, table: string): Promise<number> {
  const { rows } = await pool.query(`select count(*)::int from only "${schema}".${table}`);
  return rows[0].count;
}
