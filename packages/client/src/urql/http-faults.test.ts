import { IdempotencyError } from '@onceward/core';
import { CombinedError } from '@urql/core';
import { describe, expect, test } from 'vitest';
import { describeGraphQLFaults } from '../../test/describe-graphql-faults.ts';
import { fail, mediaTypes, openGraphQLServer, refuse } from '../../test/graphql-server.ts';
import { openUrqlClient } from '../../test/urql-client.ts';
import { deliveryErrorOf, idempotencyErrorOf } from './index.ts';

describeGraphQLFaults({ idempotencyErrorOf, open: openUrqlClient });

describe.each(mediaTypes)('as %s', (mediaType) => {
  test('a refusal is an error of urql', async () => {
    const refusal = new IdempotencyError('IDEMPOTENCY_KEY_REUSED', {} as never);
    await using server = await openGraphQLServer({ answers: [refuse(refusal)], mediaType });
    const { error } = await openUrqlClient(server).pay();
    expect(error).toBeInstanceOf(CombinedError);
  });

  test('an error of the application comes as it was, and with its data', async () => {
    await using server = await openGraphQLServer({ answers: [fail('no funds')], mediaType });
    const { data, error } = await openUrqlClient(server).pay();
    expect(error?.graphQLErrors).toMatchObject([{ message: 'no funds' }]);
    expect(error?.networkError).toBeUndefined();
    expect(data).toMatchObject({ pay: null });
  });
});

test('an intent that is given up shows what the server said last', async () => {
  const down = refuse(new IdempotencyError('IDEMPOTENCY_STORE_UNAVAILABLE', { retryAfterMs: 1 }));
  await using server = await openGraphQLServer({ answers: [down] });
  const { error } = await openUrqlClient(server, { maxAttempts: 2 }).pay();
  expect(error).toBeInstanceOf(CombinedError);
  expect(error?.graphQLErrors).toHaveLength(1);
  expect(error?.response).toHaveProperty('status', 503);
});

test('an outage shows as the network error of the last attempt', async () => {
  const offline = () => Promise.reject(new TypeError('Failed to fetch'));
  const { pay } = openUrqlClient({ url: 'http://127.0.0.1:9' }, { fetch: offline, maxAttempts: 2 });
  const { error } = await pay();
  expect(error?.networkError?.message).toBe('Failed to fetch');
  expect(deliveryErrorOf(error)).toMatchObject({ reason: 'attempts', execution: 'possible' });
});
