import { newRequest, success } from '@onceward/conformance/requests';
import { mintKey } from '@onceward/core';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { openPool, openSchema } from '../test/open-schema.ts';

const KEYS = 600;

test('completing with an answer of 512 bytes is a HOT update, 99 times of 100', async () => {
  await using pool = openPool({ max: 1 });
  await using harness = await openSchema(pool);
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

async function updatesOf(pool: pg.Pool, schema: string): Promise<{ updates: number; hot: number }> {
  await pool.query('select pg_stat_force_next_flush()');
  const { rows } = await pool.query(
    `select n_tup_upd::int as updates, n_tup_hot_upd::int as hot
       from pg_stat_user_tables
      where schemaname = $1 and relname = 'records'`,
    [schema],
  );
  return rows[0];
}
