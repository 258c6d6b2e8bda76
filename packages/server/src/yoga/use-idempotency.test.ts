import { mintKey } from '@onceward/core';
import { expect, test } from 'vitest';
import { deferred } from '../../../../test/support/deferred.ts';
import { keyed, openYoga, payment, withoutFacts } from '../../test/yoga-fixture.ts';

test('a second delivery gets the first answer, and nothing is executed', async () => {
  const { send, effects } = openYoga();
  const key = mintKey();
  const first = await send(payment, { key });
  const second = await send(payment, { key });

  expect(first.body).toEqual({
    data: { pay: { id: '1', cents: 5 } },
    extensions: { idempotency: { replayed: false, expiresAt: expect.any(String) } },
  });
  expect(second.status).toBe(200);
  expect(second.body.extensions.idempotency.replayed).toBe(true);
  expect(withoutFacts(second.text)).toBe(withoutFacts(first.text));
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect(first.headers.get('idempotent-replayed')).toBeNull();
  expect(Date.parse(second.headers.get('idempotency-expires') ?? '')).toBeGreaterThan(0);
  expect(effects).toEqual(['pay']);
});

test('of deliveries at once, one executes and the others are told to come back', async () => {
  const { promise, resolve } = deferred();
  const { send, effects } = openYoga({
    mutations: { pay: async () => (await promise, { id: '1', cents: 5 }) },
  });
  const key = mintKey();
  const all = [1, 2, 3].map(() => send(payment, { key }));
  const others = await Promise.race([Promise.all(all.slice(1)), Promise.all(all.slice(0, 2))]);
  expect(others.map(({ status }) => status)).toContain(409);
  resolve();
  const statuses = (await Promise.all(all)).map(({ status }) => status);
  expect(statuses.sort()).toEqual([200, 409, 409]);
  expect(effects).toEqual(['pay']);
});

test('a key in extensions works, without any header', async () => {
  const { send, effects } = openYoga();
  const body = { ...payment, ...keyed(mintKey()) };
  await send(body);
  const { body: answer } = await send(body);
  expect(answer.extensions.idempotency.replayed).toBe(true);
  expect(effects).toEqual(['pay']);
});
