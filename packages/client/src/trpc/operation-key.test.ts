import {
  type CurrentIntent,
  type IdempotencyKey,
  parseKey,
  provideCurrentIntent,
} from '@onceward/core';
import { createTRPCClient, loggerLink, type TRPCLink } from '@trpc/client';
import fc from 'fast-check';
import { inspect } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { httpLinks, openHttpClient } from '../../test/trpc-client.ts';
import { type AppRouter, fail, openTrpcServer, paid } from '../../test/trpc-server.ts';
import { idempotencyLink } from './idempotency-link.ts';
import { idempotencyKey } from './operation-key.ts';

const mine = 'a-key-of-the-caller';
const chosen = 'a-key-that-was-chosen';

afterEach(() => provideCurrentIntent(() => undefined));

describe('the key of a mutation', () => {
  test('is minted, one for each', async () => {
    await using server = await openTrpcServer();
    const { client } = openHttpClient(server);
    await client.pay.mutate({ cents: 1 });
    await client.pay.mutate({ cents: 1 });
    const keys = server.keys().map((key) => parseKey(key?.slice(1, -1) ?? ''));
    expect(keys.map(({ kind }) => kind)).toEqual(['key', 'key']);
    expect(keys[0]).not.toEqual(keys[1]);
  });

  test('is derived inside a handler of the server, by path and in order', async () => {
    const asked: string[] = [];
    const childKey = (operation: string) => {
      asked.push(operation);
      return `child-${asked.length}-of-a-handler` as IdempotencyKey;
    };
    const intent: CurrentIntent = { key: 'the-parents-key' as IdempotencyKey, childKey };
    provideCurrentIntent(() => intent);
    await using server = await openTrpcServer({ answers: [fail('BAD_GATEWAY'), paid] });
    const { client } = openHttpClient(server, 'httpLink', { maxAttempts: 2 });
    const calls = [client.pay.mutate({ cents: 1 }), client.cancel.mutate({ cents: 1 })];
    provideCurrentIntent(() => undefined);
    await Promise.all(calls);
    expect(asked).toEqual(['pay', 'cancel']);
    for (const { path, key } of server.calls) {
      expect(key).toBe(path === 'pay' ? '"child-1-of-a-handler"' : '"child-2-of-a-handler"');
    }
    expect(server.calls).toHaveLength(3);
  });

  test('is chosen by the `key` option, from the input for example', async () => {
    await using server = await openTrpcServer();
    const key = ({ path, input }: { path: string; input: unknown }) =>
      path === 'pay' ? (input as { id: string }).id : undefined;
    const { client } = openHttpClient(server, 'httpLink', { key });
    await client.pay.mutate({ id: chosen });
    await client.cancel.mutate({ id: chosen });
    expect(server.keys()).toEqual([`"${chosen}"`, expect.stringMatching(/^"[\da-f-]{36}"$/)]);
  });

  test('of the call comes before all others', async () => {
    await using server = await openTrpcServer();
    const { client } = openHttpClient(server, 'httpLink', { key: () => chosen });
    await client.pay.mutate({ cents: 1 }, idempotencyKey(mine));
    expect(server.keys()).toEqual([`"${mine}"`]);
  });

  test('goes with other options of the call', async () => {
    await using server = await openTrpcServer();
    const { client } = openHttpClient(server);
    const { signal } = new AbortController();
    await client.pay.mutate({ cents: 1 }, { ...idempotencyKey(mine), signal });
    await client.pay.mutate(
      { cents: 1 },
      { context: { trace: 1, ...idempotencyKey(mine).context } },
    );
    expect(server.keys()).toEqual([`"${mine}"`, `"${mine}"`]);
  });
});

describe('without a key', () => {
  test.each([
    ['the call', {}, idempotencyKey(null)],
    ['the `key` option', { key: () => null }, {}],
  ])('by the wish of %s, a mutation is sent once', async (_, options, callOptions) => {
    await using server = await openTrpcServer({ answers: [fail('SERVICE_UNAVAILABLE'), paid] });
    const { client, events } = openHttpClient(server, 'httpLink', options);
    await expect(client.pay.mutate({ cents: 1 }, callOptions)).rejects.toMatchObject({
      cause: { reason: 'attempts', attempts: 1 },
      data: { code: 'SERVICE_UNAVAILABLE' },
    });
    expect(server.keys()).toEqual([undefined]);
    expect(events.at(-1)).toMatchObject({ kind: 'intent-settled', as: 'no-key', key: null });
  });

  test('a call that opts out wins over the `key` option', async () => {
    await using server = await openTrpcServer();
    const { client } = openHttpClient(server, 'httpLink', { key: () => chosen });
    await client.pay.mutate({ cents: 1 }, idempotencyKey(null));
    expect(server.keys()).toEqual([undefined]);
  });
});

describe('what is no key', () => {
  const impostors: [string, unknown][] = [
    ['an empty one', ''],
    ['a short one', 'order-1'],
    ['one of 256 characters', 'x'.repeat(256)],
    ['one with a space', 'a key with spaces in it'],
    ['one with a line break', 'a-key-with-a\nline-break'],
    ['one with an umlaut', 'ein-schlüssel-mit-umlaut'],
    ['a number', 1234567890123456],
  ];

  test.each(impostors)('%s is refused where it is given, and not repeated', (_, key) => {
    const give = () => idempotencyKey(key as string);
    expect(give).toThrow(
      new TypeError('Expected an idempotency key of 16 to 255 printable ASCII characters'),
    );
  });

  test.each(impostors)('%s is refused when it is chosen, and nothing is sent', async (_, key) => {
    await using server = await openTrpcServer();
    const { client, events } = openHttpClient(server, 'httpLink', { key: () => key as string });
    await expect(client.pay.mutate({ cents: 1 })).rejects.toMatchObject({
      name: 'TRPCClientError',
      message: 'Expected an idempotency key of 16 to 255 printable ASCII characters',
      cause: expect.any(TypeError),
    });
    expect([server.requests, events]).toEqual([[], []]);
  });

  test('is for all strings what core calls so', () => {
    const anything = fc.oneof(
      fc.string({ maxLength: 300 }),
      fc.string({ minLength: 14, maxLength: 18 }),
    );
    const property = fc.property(anything, (key) => {
      const parsed = parseKey(key, 'opaque').kind;
      return accepts(key) === (parsed === 'key');
    });
    fc.assert(property, { numRuns: 500 });
  });

  function accepts(key: string): boolean {
    try {
      return Boolean(idempotencyKey(key));
    } catch {
      return false;
    }
  }
});

test('calls that share their options do not share a key', async () => {
  await using server = await openTrpcServer();
  const { client } = openHttpClient(server);
  const context = Object.freeze({ trace: 1 });
  const options = Object.freeze({ context });
  await client.pay.mutate({ cents: 1 }, options);
  await client.pay.mutate({ cents: 2 }, options);
  expect(new Set(server.keys()).size).toBe(2);
  expect(Reflect.ownKeys(context)).toEqual(['trace']);
});

test.each(['css', 'ansi', 'none'] as const)(
  'a `loggerLink` in %s mode does not print it',
  async (colorMode) => {
    await using server = await openTrpcServer();
    const lines: string[] = [];
    const log = (...args: unknown[]) => void lines.push(inspect(args, { depth: 9 }));
    const logger = loggerLink<AppRouter>({ console: { log, error: log }, colorMode });
    const copying: TRPCLink<AppRouter> =
      () =>
      ({ op, next }) =>
        next({ ...op, context: { ...op.context } });
    const links = [logger, copying, idempotencyLink(), logger, httpLinks.httpLink(server.url)];
    const client = createTRPCClient<AppRouter>({ links });
    await client.pay.mutate({ cents: 1 }, idempotencyKey(mine));
    expect(server.keys()).toEqual([`"${mine}"`]);
    expect(lines).toHaveLength(4);
    expect(lines.filter((line) => line.includes(mine))).toEqual([]);
  },
);
