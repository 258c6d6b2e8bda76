import { again, newRequest, success } from '@onceward/conformance/requests';
import type { AtomicResult, ReserveRequest } from '@onceward/core/store';
import type pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { cut, type Interceptor, interceptedPool } from '../test/intercepted-pool.ts';
import { openPool, openSchema, type OpenSchema } from '../test/open-schema.ts';
import { postgresStore } from './postgres-store.ts';

const pool = openPool({ max: 8 });
afterAll(() => pool.end());

const lost = () => new Error('Connection terminated unexpectedly');

describe('a COMMIT that was not acknowledged', () => {
  test('and is still being done is waited for, not guessed', async () => {
    await using harness = await openSchema(pool);
    await makeCommitsSlow(harness.schema, 0.4);
    const request = newRequest();
    const result = await pay(harness, request, {
      async inTransaction({ text, send, client }) {
        if (text !== 'commit') return send();
        const sent = send();
        sent.catch(() => undefined);
        await harness.elapse(100);
        cut(client);
        return sent;
      },
    });
    expect(result).toEqual({ kind: 'committed' });
    expect(await harness.effects.count(request.key)).toBe(1);
  });

  test('and whose connection breaks at any moment has a fate that is told truly', async () => {
    await using harness = await openSchema(pool);
    for (let moment = 0; moment < 20; moment++) {
      const request = newRequest();
      const result = await pay(harness, request, {
        async inTransaction({ text, send, client }) {
          if (text !== 'commit') return send();
          const sent = send();
          sent.catch(() => undefined);
          for (let turns = 0; turns < moment; turns++) await new Promise(setImmediate);
          cut(client);
          await sent.catch(() => undefined);
          throw lost();
        },
      });
      const effects = await harness.effects.count(request.key);
      expect({ result, effects }).toEqual(
        effects === 1
          ? { result: { kind: 'committed' }, effects: 1 }
          : { result: { kind: 'rolled-back' }, effects: 0 },
      );
    }
  });

  test('because a deferred constraint refused it is rolled back, and says why', async () => {
    await using harness = await openSchema(pool);
    await pool.query(
      `alter table "${harness.schema}".effects
         add constraint once unique (effect) deferrable initially deferred`,
    );
    const request = newRequest();
    await pool.query(`insert into "${harness.schema}".effects values ($1)`, [request.key]);
    const cause = expect.objectContaining({ code: '23505' }) as unknown;
    expect(await pay(harness, request, {})).toEqual({ kind: 'rolled-back', cause });
    expect(await harness.effects.count(request.key)).toBe(1);
    expect(await harness.store.find(request)).toBeUndefined();
  });

  test('because it was answered with ROLLBACK is rolled back', async () => {
    await using harness = await openSchema(pool);
    const request = newRequest();
    const result = await pay(harness, request, {
      async inTransaction({ text, send, client }) {
        if (text === 'commit') await client?.query('select 1 / 0').catch(() => undefined);
        return send();
      },
    });
    expect(result).toEqual({ kind: 'rolled-back' });
    expect(await harness.effects.count(request.key)).toBe(0);
  });

  test('is an error when the database cannot be asked, and says that nobody knows', async () => {
    await using harness = await openSchema(pool);
    const request = newRequest();
    let connections = 0;
    const failing = pay(harness, request, {
      connecting() {
        if (++connections > 1) throw new Error('no connection');
      },
      async inTransaction({ text, send, client }) {
        const answer = await send();
        if (text !== 'commit') return answer;
        cut(client);
        throw lost();
      },
    });
    await expect(failing).rejects.toThrow(/could not be asked what became of it/);
    await expect(failing).rejects.not.toThrow(request.key);
    expect(await harness.store.reserve(again(request))).toMatchObject({ kind: 'completed' });
  });
});

describe('a connection that breaks while the handler runs', () => {
  test('leaves no effect and no record, and the process and the pool go on', async () => {
    await using harness = await openSchema(pool);
    const { store, effects } = harness;
    const request = newRequest();
    const broken = store.transact(request, async (client) => {
      await effects.write(client, request.key);
      await terminate(client);
      return { kind: 'commit', completion: success() };
    });
    await expect(broken).rejects.toThrow();
    expect(await effects.count(request.key)).toBe(0);
    expect(await store.find(request)).toBeUndefined();
    expect(await pay(harness, again(request), {})).toEqual({ kind: 'committed' });
  });

  test('does not hide the handler’s own error, and is destroyed', async () => {
    await using harness = await openSchema(pool);
    const { schema } = harness;
    const releases: unknown[] = [];
    const watched = interceptedPool(pool, {
      released: (destroy) => releases.push(destroy),
      async inTransaction({ text, send, client }) {
        if (text === 'rollback') cut(client);
        return send();
      },
    });
    const failing = postgresStore(watched, { schema }).transact(newRequest(), async () => {
      throw new RangeError('no such account');
    });
    await expect(failing).rejects.toThrow(new RangeError('no such account'));
    expect(releases).toEqual([expect.any(Error)]);
  });

  test('goes back to the pool when nothing broke', async () => {
    await using harness = await openSchema(pool);
    const releases: unknown[] = [];
    await pay(harness, newRequest(), { released: (destroy) => releases.push(destroy) });
    expect(releases).toEqual([undefined]);
  });
});

function pay(
  { schema, effects }: OpenSchema,
  request: ReserveRequest,
  interceptor: Interceptor,
): Promise<AtomicResult> {
  const store = postgresStore(interceptedPool(pool, interceptor), { schema });
  return store.transact(request, async (client) => {
    await effects.write(client, request.key);
    return { kind: 'commit', completion: success() };
  });
}

/** A trigger that runs at COMMIT and takes its time. */
async function makeCommitsSlow(schema: string, seconds: number): Promise<void> {
  await pool.query(
    `create function "${schema}".wait() returns trigger language plpgsql as
       $$ begin perform pg_sleep(${seconds}); return null; end $$`,
  );
  await pool.query(
    `create constraint trigger slow after insert on "${schema}".effects
       deferrable initially deferred for each row execute function "${schema}".wait()`,
  );
}

/** Ends the backend, and waits until its client has noticed. */
async function terminate(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query('select pg_backend_pid() as pid');
  const ended = new Promise<void>((resolve) => client.once('end', resolve));
  await pool.query('select pg_terminate_backend($1)', [rows[0].pid]);
  await ended;
}
