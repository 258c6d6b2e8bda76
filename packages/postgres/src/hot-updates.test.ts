import { newRequest, success } from '@onceward/conformance/requests';
import { mintKey } from '@onceward/core';
import type pg from 'pg';
import { describe, expect, test } from 'vitest';
import { openPool, openSchema } from '../test/open-schema.ts';
import type { LayoutOptions } from './partitions/partition-options.ts';

const KEYS = 600;

const layouts: [string, LayoutOptions][] = [
  ['a partition', {}],
  ['one plain table', { partitions: false }],
];

describe.each(layouts)('in %s', (_, layout) => {
  test('completing with an answer of 512 bytes is a HOT update, 99 times of 100', async () => {
    await using pool = openPool({ max: 1 });
    await using harness = await openSchema(pool, layout);
    const { store, schema } = harness;
    for (let from = 0; from < KEYS; from += 20) {
      // As on a server: twenty in progress at a time.
      const requests = Array.from({ length: 20 }, () => newRequest({ key: mintKey() }));
      for (const request of requests) await store.reserve(request);
      for (const request of requests) await store.complete(request, success(new Uint8Array(512)));
    }

    const { updates, hot } = await updatesOf(pool, schema);
    expect(updates).toBe(KEYS);
    expect(hot / updates).toBeGreaterThanOrEqual(0.99);
  });

  test('a key takes at most 42 bytes of index', async () => {
    await using pool = openPool({ max: 1 });
    await using harness = await openSchema(pool, layout);
    const { store, schema } = harness;
    const request = newRequest();
    await store.reserve(request);
    // Copies of it under the ids of later keys, as a day of keys would be.
    const copies = 20_000;
    const [{ home }] = (
      await pool.query(`select tableoid::regclass as home from "${schema}".records`)
    ).rows;
    await pool.query(
      `insert into ${home}
       select (jsonb_populate_record(held, jsonb_build_object('id',
                 "${schema}".first_id("${schema}".key_ms(held.id) + later)))).*
         from "${schema}".records as held, generate_series(1, ${copies}) as later`,
    );
    const { rows } = await pool.query(`select pg_indexes_size('${home}')::int as bytes`);
    expect(rows[0].bytes / copies).toBeLessThanOrEqual(42);
  });
});

test('there is no index but the primary key', async () => {
  await using pool = openPool({ max: 1 });
  await using harness = await openSchema(pool);
  const { rows } = await pool.query(
    `select relname, count(*)::int as indexes
       from pg_index join pg_class on pg_class.oid = indrelid
      where relnamespace = $1::regnamespace and relname ~ 'records'
      group by relname`,
    [harness.schema],
  );
  expect(rows.length).toBe(5);
  for (const { indexes } of rows) expect(indexes).toBe(1);
});

async function updatesOf(pool: pg.Pool, schema: string): Promise<{ updates: number; hot: number }> {
  await pool.query('select pg_stat_force_next_flush()');
  const { rows } = await pool.query(
    `select sum(n_tup_upd)::int as updates, sum(n_tup_hot_upd)::int as hot
       from pg_stat_user_tables
      where schemaname = $1 and relname like 'records%'`,
    [schema],
  );
  return rows[0];
}
