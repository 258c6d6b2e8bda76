import { mintKey } from '@onceward/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPostgres, type PostgresFixture } from '../../support/open-postgres.ts';
import { send, servePayments } from './payments.ts';

let database: PostgresFixture;
beforeAll(async () => {
  database = await openPostgres();
});
afterAll(() => database[Symbol.asyncDispose]());

describe('an atomic mutation', () => {
  test('commits its effect with its key, and replays', async () => {
    const yoga = servePayments(database);
    const key = mintKey();
    const pay = () => send(yoga, 'mutation { pay(cents: 1) { id } }', { key });
    expect((await pay()).body).toMatchObject({
      data: { pay: { id: 'pay 1' } },
      extensions: { idempotency: { replayed: false } },
    });
    expect((await pay()).body.extensions.idempotency.replayed).toBe(true);
    expect(await database.effects('pay 1')).toBe(1);
  });

  test('that fails on purpose undoes its effect and replays its error', async () => {
    const yoga = servePayments(database);
    const key = mintKey();
    const decline = () => send(yoga, 'mutation { decline(cents: 2) { id } }', { key });
    const [first, second] = [await decline(), await decline()];
    expect(first.body).toMatchObject({
      data: { decline: null },
      errors: [{ message: 'declined', extensions: { code: 'DECLINED' } }],
    });
    expect(second.body.errors).toEqual(first.body.errors);
    expect(second.body.extensions.idempotency.replayed).toBe(true);
    expect(await database.effects('decline 2')).toBe(0);
  });

  test('that fails by accident is rolled back, masked, and executed by the next attempt', async () => {
    let failing = true;
    const yoga = servePayments(database, {
      inHandler() {
        if (failing) throw new Error('secret');
      },
    });
    const key = mintKey();
    const pay = () => send(yoga, 'mutation { pay(cents: 3) { id } }', { key });
    const first = await pay();
    expect(first.body.errors[0].message).toBe('Unexpected error.');
    expect(await database.effects('pay 3')).toBe(0);
    failing = false;
    expect((await pay()).body.data).toEqual({ pay: { id: 'pay 3' } });
    expect(await database.effects('pay 3')).toBe(1);
  });

  test('whose field is null because of something below it has not happened', async () => {
    const yoga = servePayments(database);
    const key = mintKey();
    const broken = await send(yoga, 'mutation { pay(cents: 4) { id receipt } }', { key });
    expect(broken.body.data).toEqual({ pay: null });
    expect(await database.effects('pay 4')).toBe(0);
  });

  test('whose result a plugin cannot handle is rolled back', async () => {
    let failing = true;
    const throwing = {
      onExecute: () => ({
        onExecuteDone() {
          if (failing) throw new Error('secret');
        },
      }),
    };
    const yoga = servePayments(database, { plugins: [throwing] });
    const key = mintKey();
    const pay = () => send(yoga, 'mutation { pay(cents: 5) { id } }', { key });
    expect((await pay()).body.errors[0].message).toBe('Unexpected error.');
    expect(await database.effects('pay 5')).toBe(0);
    failing = false;
    expect((await pay()).status).toBe(200);
    expect(await database.effects('pay 5')).toBe(1);
  });

  test('whose commit fails is masked, and executed by the next attempt', async () => {
    let failing = true;
    const probe = (point: string) => {
      if (failing && point === 'before-complete') throw new Error('secret');
    };
    const yoga = servePayments(database, { idempotency: { probe } });
    const key = mintKey();
    const pay = () => send(yoga, 'mutation { pay(cents: 6) { id } }', { key });
    expect((await pay()).body.errors[0].message).toBe('Unexpected error.');
    expect(await database.effects('pay 6')).toBe(0);
    failing = false;
    expect((await pay()).body.data).toEqual({ pay: { id: 'pay 6' } });
    expect(await database.effects('pay 6')).toBe(1);
  });
});

test.each(['pay', 'notify', 'book'])(
  'of many deliveries of `%s` to two servers at once, one executes',
  async (field) => {
    const servers = [servePayments(database), servePayments(database)];
    const key = mintKey();
    const query = `mutation { ${field}(cents: 7) { id } }`;
    const sent = await Promise.all(
      Array.from({ length: 10 }, (_, index) => send(servers[index % 2]!, query, { key })),
    );
    const statuses = new Set(sent.map(({ status }) => status));
    expect([...statuses].filter((status) => status !== 200 && status !== 409)).toEqual([]);
    expect(statuses).toContain(200);
    const effect = field === 'book' ? 'confirm' : field;
    expect(await database.effects(`${effect} 7`)).toBe(1);
    const { body } = await send(servers[1]!, query, { key });
    expect(body.extensions.idempotency.replayed).toBe(true);
  },
);

test('a mutation in steps resumes at the one that failed', async () => {
  let failing = true;
  const yoga = servePayments(database, {
    inHandler(effect) {
      if (failing && effect.startsWith('confirm')) throw new Error('secret');
    },
  });
  const key = mintKey();
  const book = () => send(yoga, 'mutation { book(cents: 8) { id } }', { key });
  expect((await book()).body.errors[0].message).toBe('Unexpected error.');
  failing = false;
  expect((await book()).body.data).toEqual({ book: { id: 'confirm 8' } });
  expect(await database.effects('reserve 8')).toBe(1);
});

test('an external mutation that fails by accident is not executed again', async () => {
  const yoga = servePayments(database, {
    inHandler() {
      throw new Error('secret');
    },
  });
  const key = mintKey();
  for (const expected of [409, 409]) {
    const { status, body } = await send(yoga, 'mutation { notify(cents: 9) { id } }', { key });
    expect(status).toBe(expected);
    expect(body.errors[0].extensions.code).toBe('IDEMPOTENCY_OUTCOME_UNKNOWN');
  }
  expect(await database.effects('notify 9')).toBe(1);
});
