import { again, newRequest } from '@onceward/conformance/requests';
import type pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { type Interceptor, interceptedPool } from '../../test/intercepted-pool.ts';
import { openOldPartition } from '../../test/old-partition.ts';
import { openPool, openSchema, type OpenSchema } from '../../test/open-schema.ts';
import { postgresStore } from '../postgres-store.ts';

const pool = openPool({ max: 4 });
afterAll(() => pool.end());

const day = 24 * 60 * 60_000;

describe('routing', () => {
  test('costs a new key no question, once the layout is known', async () => {
    await using harness = await openSchema(pool);
    const { store, sent } = await watch(harness);
    await store.reserve(newRequest());
    expect(sent).toEqual([expect.stringMatching(/^insert into "\w+"."records_\d{17}" /)]);
  });

  test('costs a key whose partition is gone no question either', async () => {
    await using harness = await openSchema(pool);
    const old = await openOldPartition(pool, harness);
    await old.retireUntil('done');
    const { store, sent } = await watch(harness);
    await store.reserve(old.request());
    expect(sent).toEqual([expect.stringMatching(/^insert into "\w+"."records" /)]);
  });

  test('learns from one question that a partition is gone', async () => {
    await using harness = await openSchema(pool);
    const old = await openOldPartition(pool, harness);
    const { store, sent } = await watch(harness);
    await old.retireUntil('done');
    await store.reserve(old.request());
    await store.reserve(old.request());
    expect(sent.map((text) => /"(records\w*|place)"/.exec(text)?.[1])).toEqual([
      expect.stringMatching(/^records_\d{17}$/),
      'place',
      'records',
      'records',
    ]);
  });

  test('asks nothing about an opaque key', async () => {
    await using harness = await openSchema(pool);
    const sent: string[] = [];
    const store = storeOn(harness, (text) => void sent.push(text));
    await store.reserve(newRequest({ keyTimestampMs: null }));
    expect(sent).toEqual([expect.stringMatching(/^insert into "\w+"."opaque_records" /)]);
  });

  test('asks again after a question that failed', async () => {
    await using harness = await openSchema(pool);
    let isDown = true;
    const store = storeOn(harness, () => {
      if (isDown) throw new Error('no connection');
    });
    const request = newRequest();
    await expect(store.reserve(request)).rejects.toThrow('no connection');
    isDown = false;
    expect(await store.reserve(again(request))).toMatchObject({ kind: 'reserved' });
  });

  test('gives up on a table that is never there, with the database’s own error', async () => {
    await using harness = await openSchema(pool);
    const { schema } = harness;
    const missing = Object.assign(new Error('no such table'), { code: '42P01' });
    let tries = 0;
    const store = storeOn({ schema }, (text) => {
      if (!text.startsWith('insert')) return;
      tries++;
      throw missing;
    });
    await expect(store.reserve(newRequest())).rejects.toBe(missing);
    expect(tries).toBe(3);
  });

  test('takes the time from the key, and not from whoever sends it', async () => {
    await using harness = await openSchema(pool);
    const request = newRequest();
    await harness.store.reserve(request);
    const mistaken = again(request, { keyTimestampMs: Date.now() - 100 * day });
    expect(await harness.store.reserve(mistaken)).toMatchObject({ kind: 'in-progress' });
  });
});

/** A store that knows the layout, and what it sends from then on. */
async function watch(harness: Pick<OpenSchema, 'schema'>) {
  const sent: string[] = [];
  const store = storeOn(harness, (text) => void sent.push(text));
  await store.verify();
  sent.length = 0;
  return { store, sent };
}

function storeOn({ schema }: Pick<OpenSchema, 'schema'>, before: (text: string) => void) {
  const alone: Interceptor['alone'] = async ({ text, send }) => {
    before(text.trim());
    return send();
  };
  return postgresStore<pg.Pool>(interceptedPool(pool, { alone }) as pg.Pool, { schema });
}
