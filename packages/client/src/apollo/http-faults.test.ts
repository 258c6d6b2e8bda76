import { CombinedGraphQLErrors, ServerError } from '@apollo/client';
import { IdempotencyError } from '@onceward/core';
import { describe, expect, test } from 'vitest';
import { openApolloClient } from '../../test/apollo-client.ts';
import { describeGraphQLFaults } from '../../test/describe-graphql-faults.ts';
import { fail, mediaTypes, openGraphQLServer, refuse } from '../../test/graphql-server.ts';
import { deliveryErrorOf, idempotencyErrorOf } from './index.ts';

describeGraphQLFaults({
  idempotencyErrorOf,
  open(server, options) {
    const client = openApolloClient(server, options);
    return { ...client, pay: () => client.pay().catch((error: unknown) => ({ error })) };
  },
});

describe.each(mediaTypes)('as %s', (mediaType) => {
  test('a refusal is an error of Apollo', async () => {
    const refusal = new IdempotencyError('IDEMPOTENCY_KEY_REUSED', {} as never);
    await using server = await openGraphQLServer({ answers: [refuse(refusal)], mediaType });
    const { pay } = openApolloClient(server);
    const error = await pay().catch((thrown: unknown) => thrown);
    const json = mediaType === 'application/json';
    expect(json ? ServerError.is(error) : CombinedGraphQLErrors.is(error)).toBe(true);
  });

  test('an error of the application comes as it was, and with its data', async () => {
    await using server = await openGraphQLServer({ answers: [fail('no funds')], mediaType });
    const { pay, client } = openApolloClient(server);
    const error = await pay().catch((thrown: unknown) => thrown);
    expect(CombinedGraphQLErrors.is(error)).toBe(true);
    expect(error).toMatchObject({ errors: [{ message: 'no funds' }], data: { pay: null } });
    expect(client.cache.extract()).toEqual({});
  });
});

test('an intent that is given up shows what the server said last', async () => {
  const down = refuse(new IdempotencyError('IDEMPOTENCY_STORE_UNAVAILABLE', { retryAfterMs: 1 }));
  await using server = await openGraphQLServer({ answers: [down] });
  const { pay } = openApolloClient(server, { maxAttempts: 2 });
  const error = await pay().catch((thrown: unknown) => thrown);
  expect(deliveryErrorOf(error)).toBe(error);
  expect(CombinedGraphQLErrors.is((error as Error).cause)).toBe(true);
});
