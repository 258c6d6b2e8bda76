import { again, newRequest, success } from '@onceward/conformance/requests';
import { afterAll, describe, expect, test } from 'vitest';
import { holdRows, impatient } from '../test/hold-rows.ts';
import { interceptedPool } from '../test/intercepted-pool.ts';
import { openPool, openSchema } from '../test/open-schema.ts';
import { postgresStore } from './postgres-store.ts';

const pool = openPool({ max: 8, ...impatient });
afterAll(() => pool.end());

describe('reserving in Postgres', () => {
  test('a record that is pruned between the two statements is reserved anew', async () => {
    await using harness = await openSchema(pool);
    const { schema } = harness;
    const request = newRequest();
    await harness.store.reserve(request);
    let statements: string[] = [];
    const interrupted = interceptedPool(pool, {
      async alone({ text, send }) {
        if (statements.join() === 'insert') await pool.query(`delete from "${schema}".records`);
        statements.push(text.trimStart().slice(0, 6));
        return send();
      },
    });
    const store = postgresStore(interrupted, { schema });
    await store.verify();
    statements = [];
    const reservation = await store.reserve(again(request));
    expect(reservation).toMatchObject({ kind: 'reserved', attempt: 1 });
    expect(statements).toEqual(['insert', 'select', 'insert']);
  });

  test('a record that changes before every statement is in progress, never granted', async () => {
    await using harness = await openSchema(pool);
    const { schema } = harness;
    const request = newRequest();
    await harness.store.reserve(request);
    let updates = 0;
    const restless = interceptedPool(pool, {
      async alone({ text, send }) {
        // Somebody else is always faster: the token seen is never the token found.
        if (text.startsWith('update')) {
          updates++;
          await pool.query(`update "${schema}".records set token = gen_random_uuid()`);
        }
        return send();
      },
    });
    await harness.store.release(request);
    const reservation = await postgresStore(restless, { schema }).reserve(again(request));
    expect(reservation).toMatchObject({ kind: 'in-progress' });
    expect(updates).toBe(5);
  });

  test('a lease that is renewed between two statements is not taken', async () => {
    await using harness = await openSchema(pool);
    const { schema } = harness;
    for (const onStaleLease of ['re-execute', 'unknown'] as const) {
      const request = newRequest({ leaseMs: 1, onStaleLease });
      await harness.store.reserve(request);
      await harness.elapse(5);
      const slow = interceptedPool(pool, {
        async alone({ text, send }) {
          if (text.startsWith('update')) {
            await pool.query(
              `update "${schema}".records set lease_expires_at = clock_timestamp() + '1 hour'`,
            );
          }
          return send();
        },
      });
      const reservation = await postgresStore(slow, { schema }).reserve(again(request));
      expect(reservation.kind).toBe('in-progress');
      expect(await harness.store.complete(request, success())).toBe('completed');
    }
  });

  test.each([
    ['in a batch', true],
    ['alone', false],
  ])('a replay %s writes nothing, and waits for nobody who holds the row', async (_, batching) => {
    await using harness = await openSchema(pool, { batching });
    const { store, schema } = harness;
    const request = newRequest();
    await store.reserve(request);
    await store.complete(request, success());
    {
      await using _held = await holdRows(pool, schema);
      expect(await store.reserve(again(request))).toMatchObject({ kind: 'completed' });
    }

    const version = `select ctid, xmin, xmax from "${schema}".records`;
    const before = (await pool.query(version)).rows;
    for (let replays = 0; replays < 3; replays++) await store.reserve(again(request));
    expect((await pool.query(version)).rows).toEqual(before);
  });

  test('a transaction that only replays and refuses has nothing for the log', async () => {
    await using harness = await openSchema(pool);
    const { schema } = harness;
    const done = newRequest();
    const held = newRequest();
    for (const request of [done, held]) await harness.store.reserve(request);
    await harness.store.complete(done, success());

    const client = await pool.connect();
    await client.query('begin');
    const pinned = { query: client.query.bind(client), connect: () => pool.connect() };
    const store = postgresStore(pinned as typeof pool, { schema });
    expect(await store.reserve(again(done))).toMatchObject({ kind: 'completed' });
    expect(await store.reserve(again(held))).toMatchObject({ kind: 'in-progress' });
    expect(await store.peek(again(done))).toMatchObject({ kind: 'completed' });
    const { rows } = await client.query('select pg_current_xact_id_if_assigned() as id');
    expect(rows).toEqual([{ id: null }]);
    await client.query('rollback');
    client.release();
  });

  test('an answer is a copy: no buffer of the driver is handed out', async () => {
    await using harness = await openSchema(pool);
    const request = newRequest();
    await harness.store.reserve(request);
    await harness.store.complete(request, success(new Uint8Array([1, 2, 3])));
    const replay = await harness.store.reserve(again(request));
    const { outcome } = replay as Extract<typeof replay, { kind: 'completed' }>;
    const { answer } = outcome as { answer: Uint8Array };
    expect(answer).toEqual(new Uint8Array([1, 2, 3]));
    expect(answer.buffer.byteLength).toBe(3);
  });

  test('retentions beyond the end of the calendar are for ever', async () => {
    await using harness = await openSchema(pool);
    const request = newRequest({ keyRetentionMs: Number.MAX_VALUE });
    await harness.store.reserve(request);
    const completion = { ...success(), answerRetentionMs: Number.MAX_VALUE };
    await harness.store.complete(request, completion);
    const replay = await harness.store.reserve(again(request));
    expect(replay).toMatchObject({ kind: 'completed', answerExpiresAt: Infinity });
  });
});
