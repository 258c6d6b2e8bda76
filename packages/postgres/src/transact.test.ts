import { again, newRequest, success } from '@onceward/conformance/requests';
import type { ReserveRequest } from '@onceward/core/store';
import type pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { openPool, openSchema } from '../test/open-schema.ts';
import type { PostgresStore } from './postgres-store.ts';
import { lockOf, recordAddress } from './record-address.ts';

const pool = openPool({ max: 8 });
afterAll(() => pool.end());

const committing = { kind: 'commit', completion: success() } as const;

describe('a transaction in Postgres', () => {
  test('tells a duplicate at once, while its own handler runs', async () => {
    await using harness = await openSchema(pool);
    const { store } = harness;
    const request = newRequest();
    const result = await store.transact(request, async () => {
      const duplicate = await store.transact(again(request), async () => ({ kind: 'roll-back' }));
      expect(duplicate).toEqual({ kind: 'in-progress', retryAfterMs: 1_000 });
      return committing;
    });
    expect(result).toEqual({ kind: 'committed' });
  });

  test('is answered with what is known, even while a duplicate of it looks', async () => {
    await using harness = await openSchema(pool);
    const { store, schema } = harness;
    const request = newRequest();
    await store.transact(request, async () => committing);
    const client = await pool.connect();
    await client.query('begin');
    const lock = lockOf(recordAddress(request, `"${schema}"`));
    await client.query('select pg_advisory_xact_lock($1)', [lock]);
    const duplicate = await store.transact(again(request), async () => ({ kind: 'roll-back' }));
    await client.query('rollback');
    client.release();
    expect(duplicate).toMatchObject({ kind: 'completed', outcome: { kind: 'success' } });
  });

  test('hears a connection that breaks between two statements, which would end the process', async () => {
    await using harness = await openSchema(pool);
    await harness.store.transact(newRequest(), async (client) => {
      expect(client.listenerCount('error')).toBe(1);
      return { kind: 'roll-back' };
    });
  });

  test('is undone by an attempt that took the vacant record meanwhile, and waited for nobody', async () => {
    await using harness = await openSchema(pool);
    const { store, effects } = harness;
    const request = await released(store);
    const result = await store.transact(again(request), async (client, attempt) => {
      expect(attempt).toBe(2);
      await effects.write(client, request.key);
      expect(await store.reserve(again(request))).toMatchObject({ kind: 'reserved', attempt: 2 });
      return committing;
    });
    expect(result.kind).toBe('in-progress');
    expect(await effects.count(request.key)).toBe(0);
  });

  test('is undone even when that attempt has let go again', async () => {
    await using harness = await openSchema(pool);
    const { store, effects } = harness;
    const request = await released(store);
    const result = await store.transact(again(request), async (client) => {
      await effects.write(client, request.key);
      const other = again(request);
      await store.reserve(other);
      await store.release(other);
      return committing;
    });
    expect(result).toEqual({ kind: 'rolled-back' });
    expect(await effects.count(request.key)).toBe(0);
    expect(await store.find(request)).toMatchObject({ state: 'released', attempt: 2 });
  });

  test('answers with the outcome of a late holder that completed meanwhile', async () => {
    await using harness = await openSchema(pool);
    const { store, effects } = harness;
    const late = newRequest({ leaseMs: 1 });
    await store.reserve(late);
    await harness.elapse(5);
    const result = await store.transact(again(late), async (client) => {
      await effects.write(client, late.key);
      await store.complete(late, success(new Uint8Array([9])));
      return committing;
    });
    const outcome = { kind: 'success', answer: new Uint8Array([9]) };
    expect(result).toMatchObject({ kind: 'completed', outcome });
    expect(await effects.count(late.key)).toBe(0);
  });

  test('that stores a failure gives way to an attempt that came between', async () => {
    await using harness = await openSchema(pool);
    const { store, effects } = harness;
    const request = newRequest();
    const result = await store.transact(request, async (client) => {
      await effects.write(client, request.key);
      const winner = again(request);
      await store.reserve(winner);
      await store.complete(winner, success(new Uint8Array([7])));
      const answer = new Uint8Array([1]);
      const completion = {
        outcome: { kind: 'failure', answer },
        answerRetentionMs: 60_000,
      } as const;
      return { kind: 'discard', completion };
    });
    const outcome = { kind: 'success', answer: new Uint8Array([7]) };
    expect(result).toMatchObject({ kind: 'completed', outcome });
    expect(await effects.count(request.key)).toBe(0);
  });

  test('whose handler swallowed a failed statement is rolled back, and says why', async () => {
    await using harness = await openSchema(pool);
    const { store, effects } = harness;
    const request = newRequest();
    const swallowed = await store.transact(request, async (client) => {
      await effects.write(client, request.key);
      await client.query('select 1 / 0').catch(() => undefined);
      return committing;
    });
    const message = expect.stringMatching(/error was swallowed.*Nothing was executed/s) as string;
    expect(swallowed).toMatchObject({ kind: 'rolled-back', cause: { message } });
    expect(await effects.count(request.key)).toBe(0);
    expect(await store.find(request)).toBeUndefined();
  });

  test('whose handler recovered with a savepoint commits', async () => {
    await using harness = await openSchema(pool);
    const { store, effects } = harness;
    const request = newRequest();
    const result = await store.transact(request, async (client) => {
      await effects.write(client, request.key);
      await client.query('savepoint risky');
      await client.query('select 1 / 0').catch(() => client.query('rollback to savepoint risky'));
      return committing;
    });
    expect(result).toEqual({ kind: 'committed' });
    expect(await effects.count(request.key)).toBe(1);
  });

  test('takes one connection, and gives it back in good order', async () => {
    await using single = openPool({ max: 1, connectionTimeoutMillis: 2_000 });
    await using harness = await openSchema(single);
    const pids = new Set<number>();
    for (const decision of [committing, { kind: 'roll-back' } as const, committing]) {
      await harness.store.transact(newRequest(), async (client) => {
        pids.add(await backendOf(client));
        return decision;
      });
    }
    expect(pids.size).toBe(1);
    expect(single.idleCount).toBe(1);
  });
});

async function released(store: PostgresStore<pg.PoolClient>): Promise<ReserveRequest> {
  const request = newRequest();
  await store.reserve(request);
  await store.release(request);
  return request;
}

async function backendOf(client: pg.PoolClient): Promise<number> {
  const { rows } = await client.query('select pg_backend_pid() as pid');
  return rows[0].pid;
}
