import { ApolloClient, ApolloLink, InMemoryCache } from '@apollo/client';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { mintKey } from '@onceward/core';
import { Client, fetchExchange, subscriptionExchange } from '@urql/core';
import { type Client as SocketClient, createClient, type SubscribePayload } from 'graphql-ws';
import { useServer } from 'graphql-ws/use/ws';
import { type ExecutionArgs, parse } from 'graphql';
import { expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { PAY } from '../../test/apollo-client.ts';
import {
  type GraphQLScript,
  inProgress,
  openGraphQLServer,
  paid,
} from '../../test/graphql-server.ts';
import { PAY as URQL_PAY } from '../../test/urql-client.ts';
import { IdempotencyLink } from '../apollo/index.ts';
import { idempotencyExchange } from '../urql/index.ts';

const query = 'mutation Pay { pay { id } }';

test('graphql-ws sends a mutation again when its connection broke, without telling anybody', async () => {
  await using server = await openSocketServer({ cut: 1 });
  await server.run({ query });
  expect(server.keys()).toEqual([undefined, undefined]);
});

test('a key in the extensions makes that the same intent', async () => {
  await using server = await openSocketServer({ cut: 1 });
  const idempotencyKey = mintKey();
  await server.run({ query, extensions: { idempotencyKey } });
  expect(server.keys()).toEqual([idempotencyKey, idempotencyKey]);
});

test('the Apollo link puts it there, and retries on top under the same key', async () => {
  await using server = await openSocketServer({ cut: 1, answers: [paid, inProgress(), paid] });
  const link = ApolloLink.from([
    new IdempotencyLink({ baseDelayMs: 1, random: () => 0 }),
    new GraphQLWsLink(server.client),
  ]);
  const client = new ApolloClient({ cache: new InMemoryCache(), link });
  const { data } = await client.mutate({ mutation: PAY, variables: { cents: 12 } });
  expect(data).toMatchObject({ pay: { id: 'p1' } });
  expect(server.keys()).toHaveLength(3);
  expect(new Set(server.keys())).toEqual(new Set([expect.any(String)]));
});

test('the urql exchange puts it there, too', async () => {
  await using server = await openSocketServer({ cut: 1, answers: [paid, inProgress(), paid] });
  const sockets = subscriptionExchange({
    enableAllOperations: true,
    forwardSubscription: (request) => ({
      subscribe: (sink) => ({
        unsubscribe: server.client.subscribe(request as SubscribePayload, sink as never),
      }),
    }),
  });
  const client = new Client({
    url: server.url,
    preferGetMethod: false,
    exchanges: [idempotencyExchange({ baseDelayMs: 1, random: () => 0 }), sockets, fetchExchange],
  });
  const { data } = await client.mutation(URQL_PAY, { cents: 12 }).toPromise();
  expect(data).toMatchObject({ pay: { id: 'p1' } });
  expect(server.keys()).toHaveLength(3);
  expect(new Set(server.keys())).toEqual(new Set([expect.any(String)]));
});

/** The scripted server behind a socket that is cut while its first mutations run. */
async function openSocketServer({ cut, ...script }: GraphQLScript & { cut: number }) {
  const server = await openGraphQLServer(script);
  const sockets = new WebSocketServer({ server: server.http });
  let left = cut;
  useServer(
    {
      execute: async (args) => {
        const { execute } = args.rootValue as { execute: (args: unknown) => unknown };
        const result = await execute(args);
        // After it was executed, so that only the answer is lost.
        if (left-- > 0) for (const socket of sockets.clients) socket.terminate();
        return result as never;
      },
      onSubscribe: async (context, _, payload) => {
        const enveloped = server.yoga.getEnveloped({ ...context, params: payload } as never);
        return {
          schema: enveloped.schema as never,
          document: parse(payload.query),
          variableValues: payload.variables ?? {},
          contextValue: await enveloped.contextFactory(),
          rootValue: { execute: enveloped.execute },
        } satisfies ExecutionArgs;
      },
    },
    sockets,
  );
  const client: SocketClient = createClient({
    url: server.socketUrl,
    webSocketImpl: WebSocket,
    retryWait: () => Promise.resolve(),
  });
  return {
    ...server,
    client,
    run: (payload: SubscribePayload) =>
      new Promise<void>((complete, error) => {
        client.subscribe(payload, { next: () => {}, error, complete });
      }),
    async [Symbol.asyncDispose]() {
      await client.dispose();
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      await server[Symbol.asyncDispose]();
    },
  };
}
