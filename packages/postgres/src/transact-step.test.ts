import { granted, newRequest } from '@onceward/conformance/requests';
import { afterAll, describe, expect, test } from 'vitest';
import { openPool, openSchema } from '../test/open-schema.ts';

const pool = openPool({ max: 8 });
afterAll(() => pool.end());

const entry = new Uint8Array([1, 2, 3]);

/** A store with a lease on one record. */
async function openLease() {
  const harness = await openSchema(pool);
  const { lease } = granted(await harness.store.reserve(newRequest()));
  return { ...harness, lease };
}

describe('a step in a transaction of Postgres', () => {
  test('that commits by itself is told so, and not recorded as done', async () => {
    await using harness = await openLease();
    const { store, lease, schema } = harness;
    const result = await store.transactStep(lease, async (client) => {
      await client.query('/* out of sight */ commit');
      return entry;
    });
    expect(result).toMatchObject({ kind: 'rolled-back' });
    expect(result).toHaveProperty('cause.message', expect.stringMatching(/ended the transaction/));
    const { rows } = await pool.query(`select body from "${schema}".records`);
    expect(rows).toEqual([{ body: null }]);
  });

  test('that swallows the error of a statement is told so', async () => {
    await using harness = await openLease();
    const { store, lease } = harness;
    const result = await store.transactStep(lease, async (client) => {
      await client.query('select 1/0').catch(() => undefined);
      return entry;
    });
    expect(result).toMatchObject({ kind: 'rolled-back' });
    expect(result).toHaveProperty('cause.message', expect.stringMatching(/was swallowed/));
  });

  test('that a deferred constraint refuses at COMMIT says what the database objected to', async () => {
    await using harness = await openLease();
    const { store, lease, schema } = harness;
    const deferred = 'unique deferrable initially deferred';
    await pool.query(`create table "${schema}".seats (seat int ${deferred})`);
    const result = await store.transactStep(lease, async (client) => {
      await client.query(`insert into "${schema}".seats values (1), (1)`);
      return entry;
    });
    expect(result).toMatchObject({ kind: 'rolled-back', cause: { code: '23505' } });
  });

  test('locks the record only to say that it is done', async () => {
    await using harness = await openLease();
    const { store, lease } = harness;
    const result = await store.transactStep(lease, async () => {
      expect(await store.renew(lease, 60_000)).toBe('renewed');
      return entry;
    });
    expect(result).toEqual({ kind: 'saved' });
  });
});
