import { mintKey } from '@onceward/core';
import { redisStore } from '@onceward/redis';
import { Redis } from 'ioredis';
import { expect, inject, test } from 'vitest';
import { interceptedClient } from '../../packages/redis/test/intercepted-client.ts';
import { codeOf, openBank } from './open-bank.ts';

test('S3: whoever sprays keys is stopped, and nobody else notices', async () => {
  const newKeys = { limit: 20, windowMs: 60_000 };
  await using bank = await openBank({ quota: { newKeys } });
  const before = mintKey();
  const paid = await bank.send({ user: 'alice', key: before });
  const known = mintKey();
  await bank.send({ user: 'mallory', key: known });

  const answers = await Promise.all(
    Array.from({ length: 200 }, () => bank.send({ user: 'mallory', key: mintKey() })),
  );
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(200 - 19);
  expect(codeOf(refused[0]!)).toBe('IDEMPOTENCY_QUOTA_EXCEEDED');
  expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(0);
  // What was refused has left nothing in the store.
  expect((await bank.line.store.stats()).records).toMatchObject({ completed: 21, unknown: 0 });

  expect((await bank.send({ user: 'alice', key: before })).text).toBe(paid.text);
  expect((await bank.send({ user: 'alice', key: mintKey() })).status).toBe(200);
  // Even for them, what has happened is answered.
  expect((await bank.send({ user: 'mallory', key: known })).status).toBe(200);
});

test('S3: nothing is stored before the caller and the key are known to be good', async () => {
  await using bank = await openBank();
  bank.line.calls.length = 0;
  const key = mintKey();
  const strangers = [
    await bank.send({ user: null, key }),
    await bank.send({ user: 'nobody', key }),
    await bank.send({}),
    await bank.send({ headers: { 'idempotency-key': 'x'.repeat(300) } }),
    await bank.send({ key, body: `{"cents":${'9'.repeat(30)}}` }),
  ];

  expect(strangers.map(({ status }) => status)).toEqual([401, 403, 400, 400, 400]);
  expect(bank.line.calls.filter((call) => call !== 'verify')).toEqual([]);
});

test('S3: a Redis that throws keys away when it is full is refused', async () => {
  const redis = new Redis(inject('redisUrl'));
  try {
    const evicting = interceptedClient(redis, ([command, ...args], send) =>
      command === 'config'
        ? Promise.resolve(['maxmemory-policy', 'allkeys-lru'])
        : send(command, ...args),
    );
    await using bank = await openBank({ store: redisStore(evicting) });
    const answer = await bank.send({ key: mintKey() });

    expect(codeOf(answer)).toBe('IDEMPOTENCY_STORE_UNAVAILABLE');
    expect(bank.ledger).toEqual([]);
  } finally {
    redis.disconnect();
  }
});
