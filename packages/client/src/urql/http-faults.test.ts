import { IdempotencyError } from '@onceward/core';
import { CombinedError } from '@urql/core';
import { describe, expect, test } from 'vitest';
import {
  fail,
  inProgress,
  mediaTypes,
  openGraphQLServer,
  paid,
  refuse,
  refuseWithCode,
} from '../../test/graphql-server.ts';
import { httpFaults } from '../../test/http-faults.ts';
import { openUrqlClient } from '../../test/urql-client.ts';
import { deliveryErrorOf, idempotencyErrorOf, wasReplayed } from './index.ts';

const payment = { id: 'p1', cents: 12 };

test.each(httpFaults)('%s is followed by an attempt with the same key', async (_, fault) => {
  await using server = await openGraphQLServer({ faults: [undefined, fault] });
  const { pay, events } = openUrqlClient(server);
  await pay();
  const result = await pay();
  expect(result.error).toBeUndefined();
  expect(result.data).toMatchObject({ pay: payment });
  const keys = events.filter(({ kind }) => kind === 'attempt-started').map(({ key }) => key);
  expect(keys).toHaveLength(3);
  expect(keys[0]).not.toBe(keys[1]);
  expect(keys[1]).toBe(keys[2]);
  expect(server.requests).toHaveLength(3);
  expect(server.keys()).toEqual([keys[0], keys[2]]);
});

describe.each(mediaTypes)('as %s', (mediaType) => {
  test('a mutation that still runs is asked for until it is done', async () => {
    const answers = [...Array.from({ length: 6 }, () => inProgress()), paid];
    await using server = await openGraphQLServer({ answers, mediaType });
    const { pay, settled } = openUrqlClient(server);
    expect((await pay()).data).toMatchObject({ pay: payment });
    expect(server.calls).toHaveLength(7);
    expect(new Set(server.keys()).size).toBe(1);
    expect(settled()).toEqual(['succeeded']);
  });

  test('`Retry-After` in the header is waited for where the body says nothing', async () => {
    const error = new IdempotencyError('IDEMPOTENCY_IN_PROGRESS', {} as never);
    const answers = [refuse(error, { 'retry-after': '0' }), paid];
    await using server = await openGraphQLServer({ answers, mediaType });
    const { pay, failures } = openUrqlClient(server);
    await pay();
    expect(failures()).toMatchObject([{ kind: 'idempotency', headers: { retryAfter: '0' } }]);
  });

  test('a code of the table is known by its name alone', async () => {
    const answers = [refuseWithCode('IDEMPOTENCY_STORE_UNAVAILABLE', 503), paid];
    await using server = await openGraphQLServer({ answers, mediaType });
    const { pay, failures } = openUrqlClient(server);
    await pay();
    expect(failures()).toMatchObject([
      { kind: 'idempotency', error: { code: 'IDEMPOTENCY_STORE_UNAVAILABLE', retry: 'same-key' } },
    ]);
  });

  test.each([
    new IdempotencyError('IDEMPOTENCY_KEY_REUSED', {} as never),
    new IdempotencyError('IDEMPOTENCY_KEY_INVALID', {} as never),
  ])('$code is given back as it came', async (refusal) => {
    await using server = await openGraphQLServer({ answers: [refuse(refusal)], mediaType });
    const { pay, settled } = openUrqlClient(server);
    const { error } = await pay();
    expect(error).toBeInstanceOf(CombinedError);
    expect(idempotencyErrorOf(error)).toEqual(refusal.toJSON());
    expect(deliveryErrorOf(error)).toBeUndefined();
    expect(settled()).toEqual(['refused']);
    expect(server.calls).toHaveLength(1);
  });

  test('an error of the application is given back as it came', async () => {
    await using server = await openGraphQLServer({ answers: [fail('no funds')], mediaType });
    const { pay, settled } = openUrqlClient(server);
    const { data, error } = await pay();
    expect(error?.graphQLErrors).toMatchObject([{ message: 'no funds' }]);
    expect(error?.networkError).toBeUndefined();
    expect(data).toMatchObject({ pay: null });
    expect(settled()).toEqual(['answered']);
    expect(server.calls).toHaveLength(1);
  });

  test('a key that did not arrive is a mistake in the configuration', async () => {
    const missing = new IdempotencyError('IDEMPOTENCY_KEY_MISSING', {} as never);
    await using server = await openGraphQLServer({ answers: [refuse(missing)], mediaType });
    const { pay } = openUrqlClient(server);
    const { error } = await pay();
    expect(deliveryErrorOf(error)).toMatchObject({ reason: 'configuration', attempts: 1 });
  });
});

test('an intent that is given up shows what the server said last', async () => {
  const down = refuse(new IdempotencyError('IDEMPOTENCY_STORE_UNAVAILABLE', { retryAfterMs: 1 }));
  await using server = await openGraphQLServer({ answers: [down] });
  const { pay } = openUrqlClient(server, { maxAttempts: 2 });
  const { error } = await pay();
  expect(error).toBeInstanceOf(CombinedError);
  expect(error?.graphQLErrors).toHaveLength(1);
  expect(error?.response).toHaveProperty('status', 503);
  expect(deliveryErrorOf(error)).toMatchObject({ reason: 'attempts', attempts: 2 });
  expect(idempotencyErrorOf(error)?.code).toBe('IDEMPOTENCY_STORE_UNAVAILABLE');
});

test('an outage shows as the network error of the last attempt', async () => {
  const offline = () => Promise.reject(new TypeError('Failed to fetch'));
  const { pay } = openUrqlClient({ url: 'http://127.0.0.1:9' }, { fetch: offline, maxAttempts: 2 });
  const { error } = await pay();
  expect(error?.networkError?.message).toBe('Failed to fetch');
  expect(deliveryErrorOf(error)).toMatchObject({ reason: 'attempts', execution: 'possible' });
});

test('a replay is told from a first execution', async () => {
  await using server = await openGraphQLServer({ replayed: [false, true] });
  const { pay } = openUrqlClient(server);
  expect(wasReplayed(await pay())).toBe(false);
  expect(wasReplayed(await pay())).toBe(true);
});
