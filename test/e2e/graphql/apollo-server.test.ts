import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { mintKey } from '@onceward/core';
import { idempotencyPlugin } from '@onceward/server/apollo-server';
import { type IdempotencyContext, idempotentTypeDefs } from '@onceward/server/graphql';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { deferred } from '../../support/deferred.ts';
import { openPostgres, type PostgresFixture } from '../../support/open-postgres.ts';

interface Context {
  readonly user: string;
}
type Atomic = IdempotencyContext<'atomic', pg.ClientBase>;

let database: PostgresFixture;
const opened: ApolloServer<Context>[] = [];
beforeAll(async () => {
  database = await openPostgres();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.stop()));
});
afterAll(() => database[Symbol.asyncDispose]());

const typeDefs = /* GraphQL */ `
  type Query {
    a: Int
  }
  type Mutation {
    pay(effect: String!): String @idempotent(effect: ATOMIC)
    notify(effect: String!): String @idempotent(effect: EXTERNAL)
  }
`;

/** Listens on a port, as people run it. */
async function serve(inHandler: (effect: string) => unknown = () => {}): Promise<string> {
  const take = async (effect: string, through?: pg.ClientBase) => {
    await database.record(effect, through);
    await inHandler(effect);
    return effect;
  };
  const server = new ApolloServer<Context>({
    schema: makeExecutableSchema({
      typeDefs: [idempotentTypeDefs, typeDefs],
      resolvers: {
        Mutation: {
          pay: (_: unknown, { effect }: { effect: string }, { idempotency }: Atomic) =>
            take(effect, idempotency.tx),
          notify: (_: unknown, { effect }: { effect: string }) => take(effect),
        },
      },
    }),
    includeStacktraceInErrorResponses: false,
    plugins: [
      idempotencyPlugin<Context, pg.PoolClient>({
        store: database.store(),
        scope: ({ user }) => user,
        require: 'all',
      }),
    ],
    formatError: () => ({ message: 'masked' }),
  });
  opened.push(server);
  const { url } = await startStandaloneServer(server, {
    listen: { port: 0, host: '127.0.0.1' },
    context: async ({ req }) => ({ user: String(req.headers['x-user'] ?? 'alice') }),
  });
  return url;
}

interface Sending {
  readonly key: string;
  readonly field?: 'pay' | 'notify';
  readonly user?: string;
  readonly signal?: AbortSignal;
}

async function send(url: string, effect: string, { key, field = 'pay', user, signal }: Sending) {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': `"${key}"`,
      ...(user ? { 'x-user': user } : {}),
    },
    body: JSON.stringify({
      query: `mutation ($effect: String!) { ${field}(effect: $effect) }`,
      variables: { effect },
    }),
    ...(signal ? { signal } : {}),
  });
  const replayed = response.headers.get('idempotent-replayed');
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  const body: any = await response.json();
  return { status: response.status, replayed, body };
}

describe.each(['pay', 'notify'] as const)('`%s` on Apollo Server', (field) => {
  test('is executed once, on whichever of two servers it arrives', async () => {
    const urls = [await serve(), await serve()];
    const [key, effect] = [mintKey(), mintKey()];
    const sent = await Promise.all(
      Array.from({ length: 10 }, (_, index) => send(urls[index % 2]!, effect, { key, field })),
    );
    expect(sent.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    expect(await database.effects(effect)).toBe(1);
    expect(await send(urls[1]!, effect, { key, field })).toMatchObject({
      status: 200,
      replayed: 'true',
      body: { data: { [field]: effect } },
    });
  });

  test('goes on when its client leaves, and the retry gets its answer', async () => {
    const [entered, leaving] = [deferred(), deferred()];
    const url = await serve(async () => {
      entered.resolve();
      await leaving.promise;
    });
    const [key, effect] = [mintKey(), mintKey()];
    const client = new AbortController();
    const first = send(url, effect, { key, field, signal: client.signal });
    await entered.promise;
    client.abort();
    await expect(first).rejects.toThrow();
    leaving.resolve();
    await vi.waitFor(async () => {
      const retry = await send(url, effect, { key, field });
      expect(retry).toMatchObject({ status: 200, replayed: 'true' });
    });
    expect(await database.effects(effect)).toBe(1);
  });

  test('belongs to one user', async () => {
    const url = await serve();
    const [key, effect] = [mintKey(), mintKey()];
    for (const user of ['alice', 'bob']) {
      expect((await send(url, effect, { key, field, user })).replayed).toBeNull();
    }
    expect(await database.effects(effect)).toBe(2);
  });
});

test('an atomic mutation that fails by accident is rolled back, and executed by the next attempt', async () => {
  let failing = true;
  const url = await serve(() => {
    if (failing) throw new Error('secret');
  });
  const [key, effect] = [mintKey(), mintKey()];
  const first = await send(url, effect, { key });
  expect(first.body).toMatchObject({ data: { pay: null }, errors: [{ message: 'masked' }] });
  expect(await database.effects(effect)).toBe(0);
  failing = false;
  expect((await send(url, effect, { key })).body.data).toEqual({ pay: effect });
  expect(await database.effects(effect)).toBe(1);
});
