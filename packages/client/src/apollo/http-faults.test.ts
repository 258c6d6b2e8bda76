import { IdempotencyError } from '@onceward/core';
import { CombinedGraphQLErrors, ServerError } from '@apollo/client';
import { describe, expect, test } from 'vitest';
import { openApolloClient } from '../../test/apollo-client.ts';
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
import { deliveryErrorOf, idempotencyErrorOf, wasReplayed } from './index.ts';

const payment = { __typename: 'Payment', id: 'p1', cents: 12 };

test.each(httpFaults)('%s is followed by an attempt with the same key', async (_, fault) => {
  await using server = await openGraphQLServer({ faults: [undefined, fault] });
  const { pay, events } = openApolloClient(server);
  await pay();
  await expect(pay()).resolves.toMatchObject({ data: { pay: payment } });
  const seen = events.filter(({ kind }) => kind === 'attempt-started').map(({ key }) => key);
  expect(server.requests).toHaveLength(3);
  expect(seen).toHaveLength(3);
  expect(seen[0]).not.toBe(seen[1]);
  expect(seen[1]).toBe(seen[2]);
  expect(server.keys()).toEqual([seen[0], seen[2]]);
});

describe.each(mediaTypes)('as %s', (mediaType) => {
  test('a mutation that still runs is asked for until it is done', async () => {
    const answers = [...Array.from({ length: 6 }, () => inProgress()), paid];
    await using server = await openGraphQLServer({ answers, mediaType });
    const { pay, settled } = openApolloClient(server);
    await expect(pay()).resolves.toMatchObject({ data: { pay: payment } });
    expect(server.calls).toHaveLength(7);
    expect(new Set(server.keys()).size).toBe(1);
    expect(settled()).toEqual(['succeeded']);
  });

  test('`Retry-After` in the header is waited for where the body says nothing', async () => {
    const error = new IdempotencyError('IDEMPOTENCY_IN_PROGRESS', {} as never);
    const answers = [refuse(error, { 'retry-after': '0' }), paid];
    await using server = await openGraphQLServer({ answers, mediaType });
    const { pay, failures } = openApolloClient(server);
    await pay();
    expect(failures()).toMatchObject([{ kind: 'idempotency', headers: { retryAfter: '0' } }]);
  });

  test('a code of the table is known by its name alone', async () => {
    const answers = [refuseWithCode('IDEMPOTENCY_IN_PROGRESS', 409), paid];
    await using server = await openGraphQLServer({ answers, mediaType });
    const { pay, failures } = openApolloClient(server);
    await pay();
    expect(failures()).toMatchObject([
      { kind: 'idempotency', error: { code: 'IDEMPOTENCY_IN_PROGRESS', retry: 'same-key' } },
    ]);
  });

  test('a store that is down is tried again', async () => {
    const down = new IdempotencyError('IDEMPOTENCY_STORE_UNAVAILABLE', { retryAfterMs: 1 });
    await using server = await openGraphQLServer({ answers: [refuse(down), paid], mediaType });
    const { pay } = openApolloClient(server);
    await expect(pay()).resolves.toMatchObject({ data: { pay: payment } });
    expect(new Set(server.keys()).size).toBe(1);
  });

  test.each([
    new IdempotencyError('IDEMPOTENCY_KEY_REUSED', {} as never),
    new IdempotencyError('IDEMPOTENCY_KEY_INVALID', {} as never),
  ])('$code is given back as it came', async (refusal) => {
    await using server = await openGraphQLServer({ answers: [refuse(refusal)], mediaType });
    const { pay, settled } = openApolloClient(server);
    const error = await pay().catch((thrown: unknown) => thrown);
    const json = mediaType === 'application/json';
    expect(json ? ServerError.is(error) : CombinedGraphQLErrors.is(error)).toBe(true);
    expect(idempotencyErrorOf(error)).toEqual(refusal.toJSON());
    expect(deliveryErrorOf(error)).toBeUndefined();
    expect(settled()).toEqual(['refused']);
    expect(server.calls).toHaveLength(1);
  });

  test('a mutation whose answer is gone has taken effect', async () => {
    const gone = new IdempotencyError('IDEMPOTENCY_RESPONSE_UNAVAILABLE', {} as never);
    await using server = await openGraphQLServer({ answers: [refuse(gone)], mediaType });
    const { pay } = openApolloClient(server);
    const error = await pay().catch((thrown: unknown) => thrown);
    expect(deliveryErrorOf(error)).toMatchObject({ reason: 'executed', execution: 'certain' });
    expect(idempotencyErrorOf(error)?.code).toBe('IDEMPOTENCY_RESPONSE_UNAVAILABLE');
  });

  test('an error of the application is given back as it came', async () => {
    await using server = await openGraphQLServer({ answers: [fail('no funds')], mediaType });
    const { pay, settled, client } = openApolloClient(server);
    const error = await pay().catch((thrown: unknown) => thrown);
    expect(CombinedGraphQLErrors.is(error)).toBe(true);
    expect(error).toMatchObject({ errors: [{ message: 'no funds' }], data: { pay: null } });
    expect(settled()).toEqual(['answered']);
    expect(server.calls).toHaveLength(1);
    expect(client.cache.extract()).toEqual({});
  });

  test('a key that did not arrive is a mistake in the configuration', async () => {
    const missing = new IdempotencyError('IDEMPOTENCY_KEY_MISSING', {} as never);
    await using server = await openGraphQLServer({ answers: [refuse(missing)], mediaType });
    const { pay } = openApolloClient(server);
    const error = await pay().catch((thrown: unknown) => thrown);
    expect(deliveryErrorOf(error)).toMatchObject({ reason: 'configuration', attempts: 1 });
  });
});

test('an intent that is given up shows what the server said last', async () => {
  const down = refuse(new IdempotencyError('IDEMPOTENCY_STORE_UNAVAILABLE', { retryAfterMs: 1 }));
  await using server = await openGraphQLServer({ answers: [down] });
  const { pay } = openApolloClient(server, { maxAttempts: 2 });
  const error = await pay().catch((thrown: unknown) => thrown);
  expect(deliveryErrorOf(error)).toBe(error);
  expect(error).toMatchObject({ reason: 'attempts', attempts: 2, execution: 'possible' });
  expect(CombinedGraphQLErrors.is((error as Error).cause)).toBe(true);
  expect(idempotencyErrorOf(error)?.code).toBe('IDEMPOTENCY_STORE_UNAVAILABLE');
});

test('a replay is told from a first execution', async () => {
  await using server = await openGraphQLServer({ replayed: [false, true] });
  const { pay } = openApolloClient(server);
  expect(wasReplayed(await pay())).toBe(false);
  expect(wasReplayed(await pay())).toBe(true);
});
