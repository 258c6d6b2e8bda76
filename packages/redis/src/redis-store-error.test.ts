import { newRequest, success } from '@onceward/conformance/requests';
import { inspect } from 'node:util';
import { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { freePort } from '../../../test/services/free-port.ts';
import { interceptedClient } from '../test/intercepted-client.ts';
import { openStore } from '../test/open-store.ts';
import { withoutArguments } from './redis-store-error.ts';
import { redisStore } from './redis-store.ts';

test('an error shows no key, scope or answer, however it is printed', async () => {
  await using opened = await openStore();
  const request = newRequest({ scope: 'secret-scope' });
  const refusing = interceptedClient(opened.redis, ([, ...args], send) =>
    send('nosuchcommand', 'secret-argument', ...args),
  );
  const store = redisStore(refusing, { prefix: opened.prefix });
  const settled = await Promise.allSettled([
    store.reserve(request),
    store.complete(request, success('secret-answer')),
    store.saveProgress(request, Buffer.from('secret-step')),
  ]);
  for (const result of settled) {
    const error: unknown = result.status === 'rejected' ? result.reason : undefined;
    expect(error).toMatchObject({ name: 'RedisStoreError', code: 'ERR' });
    const printed = inspect(error, { depth: 9, showHidden: true });
    expect(printed).toContain('unknown command');
    expect(printed).not.toContain('secret');
    expect(printed).not.toContain(request.key);
    expect(printed).not.toContain(request.token);
  }
});

test.each([
  ["OOM command not allowed when used memory > 'maxmemory'.", 'OOM'],
  ["READONLY You can't write against a read only replica.", 'READONLY'],
  ['LOADING Redis is loading the dataset in memory', 'LOADING'],
  ['MASTERDOWN Link with MASTER is down', 'MASTERDOWN'],
  ['Connection is closed.', 'Error'],
])('%s is known by its code', (message, code) => {
  expect(withoutArguments(new Error(message))).toMatchObject({ code });
});

test('a server that is down rejects every call', async () => {
  const port = await freePort();
  const down = new Redis({ port, maxRetriesPerRequest: 0, retryStrategy: () => null });
  down.on('error', () => undefined);
  const store = redisStore(down);
  await expect(store.reserve(newRequest())).rejects.toMatchObject({ name: 'RedisStoreError' });
  await expect(store.complete(newRequest(), success())).rejects.toThrow();
  await expect(store.verify()).rejects.toThrow();
});

test('an error that has no code is known by its class', () => {
  class SocketClosedUnexpectedlyError extends Error {}
  const error = new SocketClosedUnexpectedlyError('Socket closed unexpectedly');
  expect(withoutArguments(error).code).toBe('SocketClosedUnexpectedlyError');
});

test.each([undefined, null, 'closed', {}])('what is no error is one all the same: %o', (thrown) => {
  expect(withoutArguments(thrown)).toMatchObject({ name: 'RedisStoreError' });
});
