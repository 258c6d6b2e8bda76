import { again, newRequest, success } from '@onceward/conformance/requests';
import { mintKey } from '@onceward/core';
import type pg from 'pg';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { impatient, untilBlocking } from '../../test/hold-rows.ts';
import { newSchemaName, openPool, openSchema } from '../../test/open-schema.ts';
import { migrate } from '../migrate.ts';
import { postgresStore } from '../postgres-store.ts';
import { tableOfKey } from './layout.ts';

const pool = openPool({ max: 8, ...impatient });
afterAll(() => pool.end());

const day = 24 * 60 * 60_000;

describe('partitions are made', () => {
  test('by migrating: for now and the next two spans of time', async () => {
    await using harness = await openSchema(pool);
    expect(await startsOf(harness.schema)).toEqual(today(0, 1, 2));
  });

  test('by migrating again, where nothing else is left to do', async () => {
    await using harness = await openSchema(pool);
    const { schema } = harness;
    await dropPartitions(schema);
    expect(await migrate(pool, { schema })).toEqual([]);
    expect(await startsOf(schema)).toEqual(today(0, 1, 2));
  });

  test('by pruning', async () => {
    await using harness = await openSchema(pool);
    const { schema, store } = harness;
    await dropPartitions(schema);
    await store.prune({ limit: 10 });
    expect(await startsOf(schema)).toEqual(today(0, 1, 2));
  });

  test('by the first key that needs one, however many come at once', async () => {
    await using harness = await openSchema(pool);
    const { schema, store } = harness;
    await dropPartitions(schema);
    const requests = Array.from({ length: 20 }, () => newRequest({ key: mintKey() }));
    const answers = await Promise.all(
      requests.map((request) => postgresStore(pool, { schema }).reserve(request)),
    );
    expect(answers.map(({ kind }) => kind)).toEqual(requests.map(() => 'reserved'));
    expect(await startsOf(schema)).toEqual(today(0));
    for (const request of requests) {
      expect(await store.reserve(again(request))).toMatchObject({ kind: 'in-progress' });
    }
  });

  test('by the first transaction that needs one, whose handler runs once', async () => {
    await using harness = await openSchema(pool);
    const { schema, store, effects } = harness;
    await dropPartitions(schema);
    const request = newRequest();
    let runs = 0;
    const result = await store.transact(request, async (client) => {
      runs++;
      await effects.write(client, request.key);
      return { kind: 'commit', completion: success() };
    });
    expect(result).toEqual({ kind: 'committed' });
    expect(runs).toBe(1);
    expect(await effects.count(request.key)).toBe(1);
  });

  test('once, by twenty who wait for each other', async () => {
    await using harness = await openSchema(pool);
    const { schema } = harness;
    await dropPartitions(schema);
    const pools = Array.from({ length: 20 }, () => openPool({ max: 1, ...impatient }));
    onTestFinished(() => Promise.all(pools.map((each) => each.end())).then(() => undefined));
    const made = pools.map((each) => each.query(`select "${schema}".create_partitions()`));
    const results = await Promise.allSettled(made);
    expect(results.filter(({ status }) => status === 'rejected')).toEqual([]);
    expect(await startsOf(schema)).toEqual(today(0, 1, 2));
  });

  test('once, also when who waits for that remembers that there was none', async () => {
    await using harness = await openSchema(pool);
    const { schema } = harness;
    const make = `select "${schema}".create_partitions()`;
    await using late = openPool({ max: 1, ...impatient });
    // Whoever reads more of the catalogs after waiting hears of the table. This one has read all it needs.
    await late.query(make);
    await dropPartitions(schema);

    const first = await pool.connect();
    await first.query('begin');
    await first.query(make);
    // Only now: while the table is being made, others are told to forget that there is none.
    const name = tableOfKey(Date.now(), { widthMs: day, keptBelowMs: 0 });
    await late.query('select to_regclass($1)', [`"${schema}".${name}`]);
    const making = late.query(make);
    expect(await untilBlocking(pool, first, making)).toBe('waits');
    await first.query('commit');
    first.release();
    await making;
    expect(await startsOf(schema)).toEqual(today(0, 1, 2));
  });

  test('with the rights and the storage of `records`, for a role that may create nothing', async () => {
    await using harness = await openSchema(pool);
    const { schema } = harness;
    await using role = await createRole(pool);
    const limited = postgresStore(role.pool, { schema });
    await pool.query(`grant usage on schema "${schema}" to ${role.name}`);
    await pool.query(`grant select on "${schema}".migrations to ${role.name}`);
    await expect(limited.verify()).rejects.toThrow(/may not make partitions .*grant_to/);

    await pool.query(`select "${schema}".grant_to($1)`, [role.name]);
    await pool.query(`alter table "${schema}".records set (fillfactor = 90)`);
    await limited.verify();
    await dropPartitions(schema);
    const request = newRequest();
    expect(await limited.reserve(request)).toMatchObject({ kind: 'reserved' });
    expect(await limited.complete(request, success())).toBe('completed');
    expect(await limited.reserve(again(request))).toMatchObject({ kind: 'completed' });
    const { lease } = await reserveNew(limited);
    await limited.doubt(lease);
    const [unknown] = await limited.takeUnknown({
      limit: 1,
      leaseMs: 1_000,
      operations: [request.operation],
    });
    expect(unknown?.key).toBe(lease.key);
    expect(await limited.putOff(unknown!, { kind: 'later', delayMs: 1 })).toBe('put-off');
    expect(await limited.putOff(unknown!, { kind: 'gone' })).toBe('lease-lost');
    expect(await limited.prune({ limit: 10 })).toMatchObject({ pruned: 0 });
    const { rows } = await pool.query(
      `select distinct reloptions from pg_class
        where relnamespace = $1::regnamespace and relname ~ '^records_\\d+$'`,
      [schema],
    );
    expect(rows).toEqual([{ reloptions: ['fillfactor=90'] }]);
    const rights = ['outbox_jobs', 'inbox_messages'].map((table) =>
      role.pool.query(`select has_table_privilege('"${schema}".${table}', 'insert') as granted`),
    );
    for (const { rows } of await Promise.all(rights)) expect(rows).toEqual([{ granted: true }]);
    await expect(role.pool.query(`delete from "${schema}".audit`)).rejects.toThrow(/permission/);
    await pool.query(`drop owned by ${role.name}`);
  });

  test('for no key from more than a year ahead', async () => {
    await using harness = await openSchema(pool);
    const request = newRequest({ keyTimestampMs: Date.now() + 400 * day });
    await expect(harness.store.reserve(request)).rejects.toMatchObject({ code: '22023' });
    await expect(harness.store.reserve(request)).rejects.not.toThrow(request.key);
  });

  test('for no key from before there were any: it is kept in `records` itself', async () => {
    await using harness = await openSchema(pool);
    const { schema, store } = harness;
    const request = newRequest({ keyTimestampMs: Date.now() - 3 * day, keyRetentionMs: 9 * day });
    expect(await store.reserve(request)).toMatchObject({ kind: 'reserved' });
    expect(await store.reserve(again(request))).toMatchObject({ kind: 'in-progress' });
    const { rows } = await pool.query(`select count(*)::int from only "${schema}".records`);
    expect(rows).toEqual([{ count: 1 }]);
  });
});

describe('the partition of a key', () => {
  test('follows from its time, in TypeScript as in SQL', async () => {
    await using harness = await openSchema(pool);
    const times = [0, 1, day - 1, day, 951_782_399_999, 1_709_251_200_000, 1_748_736_000_123];
    for (let time = 1_700_000_000_000; time < 2_000_000_000_000; time += 7_777_777_777) {
      times.push(time);
    }
    const names = `select "${harness.schema}".partition_name(ms) as name,
                          "${harness.schema}".partition_start_ms(
                            "${harness.schema}".partition_name(ms))::text as ms
                     from unnest($1::int8[]) as ms`;
    // By a clock that skips an hour in spring: names are in UTC.
    await using elsewhere = openPool({ max: 1, options: '-c TimeZone=Europe/Berlin' });
    const { rows } = await elsewhere.query(names, [times]);
    expect(rows).toEqual(
      times.map((ms) => ({
        name: tableOfKey(ms, { widthMs: 1, keptBelowMs: 0 }),
        ms: String(ms),
      })),
    );
  });

  test('holds its record, and no other partition takes it', async () => {
    await using harness = await openSchema(pool);
    const { schema, store } = harness;
    await store.reserve(newRequest());
    const { rows } = await pool.query(
      `select tableoid::regclass::text as home from "${schema}".records`,
    );
    const layout = { widthMs: day, keptBelowMs: 0 };
    expect(rows).toEqual([{ home: `${schema}.${tableOfKey(Date.now(), layout)}` }]);
    const tomorrow = `"${schema}".${tableOfKey(Date.now() + day, layout)}`;
    const misplaced = pool.query(`insert into ${tomorrow} select * from "${schema}".records`);
    await expect(misplaced).rejects.toMatchObject({ code: '23514', constraint: 'key_time' });
  });
});

async function reserveNew(store: ReturnType<typeof postgresStore<pg.Pool>>) {
  const request = newRequest();
  await store.reserve(request);
  return { lease: request };
}

async function startsOf(schema: string): Promise<number[]> {
  const { rows } = await pool.query(
    `select start_ms from "${schema}".partition_spans order by start_ms`,
  );
  return rows.map(({ start_ms }) => Number(start_ms));
}

/** Nobody made them in time. They are empty, so nothing is forgotten. */
async function dropPartitions(schema: string): Promise<void> {
  const { rows } = await pool.query(`select name from "${schema}".partitions`);
  for (const { name } of rows) await pool.query(`drop table "${schema}".${name}`);
}

function today(...days: number[]): number[] {
  const start = Math.floor(Date.now() / day) * day;
  return days.map((ahead) => start + ahead * day);
}

async function createRole(owner: pg.Pool) {
  const name = newSchemaName();
  await owner.query(`create role ${name} login`);
  const { rows } = await owner.query('select current_database() as name');
  const { connectionString } = owner.options;
  const url = new URL(connectionString ?? '');
  url.username = name;
  url.pathname = `/${rows[0].name}`;
  const limited = openPool({ connectionString: url.href, max: 2 });
  return {
    name,
    pool: limited,
    async [Symbol.asyncDispose]() {
      await limited.end();
      await owner.query(`drop owned by ${name}`);
      await owner.query(`drop role ${name}`);
    },
  };
}
