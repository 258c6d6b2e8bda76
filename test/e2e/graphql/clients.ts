import {
  ApolloClient,
  ApolloLink,
  gql as apolloGql,
  HttpLink,
  InMemoryCache,
} from '@apollo/client';
import type { DeliveryOptions } from '@onceward/client';
import { IdempotencyLink } from '@onceward/client/apollo';
import { idempotentFetch, isMutation } from '@onceward/client/fetch';
import { idempotencyExchange } from '@onceward/client/urql';
import { Client, fetchExchange, gql as urqlGql } from '@urql/core';
import { GraphQLClient } from 'graphql-request';

/** Sends a mutation, and resolves with its `data`. */
export type Mutate = (mutation: string) => Promise<unknown>;

type Options = Omit<DeliveryOptions, 'describeFailure'>;

/** Every client that the kit has something for. */
export const clients: Record<string, (url: string, options?: Options) => Mutate> = {
  'Apollo Client': (uri, options) => {
    const client = new ApolloClient({
      cache: new InMemoryCache(),
      link: ApolloLink.from([new IdempotencyLink({ ...eager, ...options }), new HttpLink({ uri })]),
    });
    return async (mutation) => (await client.mutate({ mutation: apolloGql(mutation) })).data;
  },

  urql: (url, options) => {
    const client = new Client({
      url,
      exchanges: [idempotencyExchange({ ...eager, ...options }), fetchExchange],
      preferGetMethod: false,
    });
    return async (mutation) => {
      const { data, error } = await client.mutation(urqlGql(mutation), {}).toPromise();
      if (error) throw error;
      return data as unknown;
    };
  },

  'graphql-request': (url, options) => {
    const client = new GraphQLClient(url, {
      fetch: idempotentFetch({ ...eager, ...options, key: isMutation }),
    });
    return (mutation) => client.request(mutation);
  },

  fetch: (url, options) => {
    const send = idempotentFetch({ ...eager, ...options, key: isMutation });
    return async (mutation) => {
      const response = await send(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({ query: mutation }),
      });
      const { data } = (await response.json()) as { data: unknown };
      return data;
    };
  },
};

/** Comes back at once, so that no test waits; what the server asks for is still waited for. */
const eager = { baseDelayMs: 1, random: () => 0 };
