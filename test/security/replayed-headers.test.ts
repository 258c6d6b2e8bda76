import { mintKey } from '@onceward/core';
import { createGraphQLError } from 'graphql-yoga';
import { expect, test } from 'vitest';
import { openYoga, payment } from '../../packages/server/test/yoga-fixture.ts';
import { openBank } from './open-bank.ts';

const personal = {
  'set-cookie': 'session=canary',
  authorization: 'Bearer canary',
  'www-authenticate': 'Bearer realm="canary"',
  'x-request-id': 'canary',
  'ratelimit-remaining': '7',
  'access-control-allow-origin': 'https://canary.test',
};

test('S11: a replay brings none of the headers of the first response', async () => {
  await using bank = await openBank();
  bank.handle = ({ setHeader }) => {
    for (const [name, value] of Object.entries(personal)) setHeader(name, value);
    return 'paid';
  };
  const key = mintKey();
  const first = await bank.send({ key });
  const again = await bank.send({ key });

  expect(first.headers.get('set-cookie')).toBe('session=canary');
  expect(again.text).toBe(first.text);
  for (const name of Object.keys(personal)) expect(again.headers.get(name)).toBeNull();
});

test('S11: headers inside a GraphQL error are given once', async () => {
  const { send } = openYoga({
    mutations: {
      pay() {
        const http = { status: 402, headers: personal };
        throw createGraphQLError('declined', { extensions: { code: 'DECLINED', http } });
      },
    },
  });
  const key = mintKey();
  const first = await send(payment, { key });
  const again = await send(payment, { key });

  expect(first.headers.get('set-cookie')).toBe('session=canary');
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(again.status).toBe(first.status);
  expect([...again.headers].join()).not.toContain('canary');
});
