import { gql } from '@urql/core';
import { offlineExchange, type SerializedRequest } from '@urql/exchange-graphcache';
import { expect, test } from 'vitest';
import { deferred } from '../../../../test/support/deferred.ts';
import { openGraphQLServer } from '../../test/graphql-server.ts';
import { openUrqlClient, PAY } from '../../test/urql-client.ts';
import { withIdempotencyKey } from './index.ts';

const SHOPIFY = gql`
  mutation Pay($cents: Int, $idempotencyKey: String!) {
    pay(cents: $cents) @idempotent(key: $idempotencyKey) {
      id
    }
  }
`;

const SHORT = gql`
  mutation Pay($cents: Int, $k: String!) {
    pay(cents: $cents) @idempotent(key: $k) {
      id
    }
  }
`;

interface SentBody {
  readonly query: string;
  readonly variables: object;
}

function bodyOf(init: RequestInit | undefined): SentBody {
  return JSON.parse(init?.body as string) as SentBody;
}

/** The storage of a device: what is written is all that a reload leaves. */
function openDevice() {
  let metadata = '[]';
  let online = () => {};
  let written = deferred<SerializedRequest[]>();
  const offline = () =>
    offlineExchange({
      optimistic: { pay: () => ({ __typename: 'Payment', id: 'temporary', cents: 12 }) },
      storage: {
        readData: async () => ({}),
        writeData: async () => {},
        readMetadata: async () => JSON.parse(metadata) as SerializedRequest[],
        writeMetadata(requests) {
          metadata = JSON.stringify(requests);
          if (requests.length > 0) written.resolve(requests);
        },
        onOnline: (callback) => void (online = callback),
      },
    });
  return {
    offline,
    goOnline: () => online(),
    /** The mutations that wait for better times, as soon as there are some. */
    kept: async () => {
      const requests = await written.promise;
      written = deferred();
      return requests;
    },
  };
}

const offlineFetch = () => Promise.reject(new TypeError('Failed to fetch'));

test.each([
  ['in a variable', SHOPIFY, withIdempotencyKey({ cents: 12 })],
  ['in a variable that was filled in', SHOPIFY, { cents: 12 }],
  ['in nothing but what the queue keeps', PAY, { cents: 12 }],
])('a key %s survives a reload in the offline queue', async (_, mutation, variables) => {
  await using server = await openGraphQLServer();
  const device = openDevice();
  const before = openUrqlClient(server, { above: [device.offline()], fetch: offlineFetch });
  // The queue keeps what fails after it has been read itself.
  await before.client.query('{ balance }', {}).toPromise();
  void before.client.mutation(mutation, variables).toPromise();
  await device.kept();

  const after = deferred();
  openUrqlClient(server, {
    above: [device.offline()],
    onEvent: ({ kind }) => kind === 'intent-settled' && after.resolve(),
  });
  await after.promise;
  expect(server.keys()).toEqual([before.events[0]?.key]);
});

test('`@idempotent(key: $k)` has the same key on the wire after a reload', async () => {
  await using server = await openGraphQLServer();
  const device = openDevice();
  const sent: SentBody[] = [];
  const lost: typeof fetch = (_, init) => {
    sent.push(bodyOf(init));
    return offlineFetch();
  };
  const before = openUrqlClient(server, { variable: 'k', above: [device.offline()], fetch: lost });
  await before.client.query('{ balance }', {}).toPromise();
  sent.length = 0;
  void before.client.mutation(SHORT, { cents: 12 }).toPromise();
  await device.kept();

  const after = deferred();
  openUrqlClient(server, {
    variable: 'k',
    above: [device.offline()],
    fetch(input, init) {
      sent.push(bodyOf(init));
      return fetch(input, init);
    },
    onEvent: ({ kind }) => kind === 'intent-settled' && after.resolve(),
  });
  await after.promise;
  const key = before.events[0]?.key;
  expect(server.calls).toHaveLength(1);
  expect(sent.length).toBeGreaterThan(1);
  for (const { query, variables } of sent) {
    expect(query).toContain('@idempotent(key: $k)');
    expect(variables).toEqual({ cents: 12, k: key });
  }
});

test('a mutation that is sent again without a reload keeps its key', async () => {
  await using server = await openGraphQLServer();
  const device = openDevice();
  let connected = false;
  const { client, events } = openUrqlClient(server, {
    above: [device.offline()],
    fetch: (input, init) => (connected ? fetch(input, init) : offlineFetch()),
  });
  await client.query('{ balance }', {}).toPromise();
  const paying = client.mutation(PAY, { cents: 12 }).toPromise();
  await device.kept();
  connected = true;
  device.goOnline();
  expect((await paying).data).toMatchObject({ pay: { id: 'p1' } });
  expect(server.keys()).toEqual([events[0]?.key]);
  expect(new Set(events.map(({ key }) => key)).size).toBe(1);
});
