import { opaqueRequest } from '@onceward/conformance/requests';
import type pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { watchUncaughtErrors } from '../../test/drivers/uncaught-errors.ts';
import { openPool, openSchema } from '../../test/open-schema.ts';
import { postgresStore } from '../postgres-store.ts';
import { borrowClient, giveBack } from './borrow-client.ts';

const admin = openPool();
afterAll(() => admin.end());

/** The server ends each connection in the packet that says it is ready. */
function endedAtOnce(pool: pg.Pool): pg.Pool {
  const { Client } = pool as unknown as { Client: new (config: unknown) => pg.Client };
  function EndedAtOnce(config: unknown) {
    const client = new Client(config);
    const connect = client.connect.bind(client);
    return Object.assign(client, {
      connect: (connected: (error: Error) => void) =>
        connect((error: Error) => {
          connected(error);
          client.emit('error', new Error('terminating connection due to administrator command'));
        }),
    });
  }
  return Object.assign(pool, { Client: EndedAtOnce });
}

describe('a connection that is ended while it is handed over does not end the process', () => {
  test.each(['batch', 'transaction'])('to a %s', async (way) => {
    await using harness = await openSchema(admin);
    await using pool = openPool();
    const { schema } = harness;
    const store = postgresStore(endedAtOnce(pool), { schema, batching: true });
    using uncaught = watchUncaughtErrors();
    await (way === 'batch'
      ? store.reserve(opaqueRequest())
      : store.transact(opaqueRequest(), async () => ({ kind: 'roll-back' })));
    expect(await uncaught.seen()).toEqual([]);
  });
});

test('a connection is given back as it came, by a pool that calls back or promises', async () => {
  await using pool = openPool({ max: 1 });
  for (const lender of [pool, { connect: () => pool.connect() }]) {
    const client = await borrowClient<pg.PoolClient>(lender);
    expect(client.listenerCount('error')).toBe(1);
    giveBack(client);
    // The pool's own.
    expect(client.listenerCount('error')).toBe(1);
    expect(pool.idleCount).toBe(1);
  }
});

test('a pool that has no connection says why', async () => {
  const pool = openPool();
  await pool.end();
  await expect(borrowClient(pool)).rejects.toThrow('after calling end');
  const promising = { connect: () => Promise.reject<pg.PoolClient>(new Error('none left')) };
  await expect(borrowClient(promising)).rejects.toThrow('none left');
});
