import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { memoryStore } from '@onceward/server';
import { idempotentTypeDefs } from '@onceward/server/graphql';
import { useIdempotency } from '@onceward/server/yoga';
import { serverAudits } from 'graphql-http';
import { createSchema, createYoga, type Plugin } from 'graphql-yoga';
import { expect, test } from 'vitest';

/** @see https://github.com/graphql/graphql-http#audits */
test.each([
  ['without the plugin', []],
  ['with it', [idempotency()]],
  ['with it, where refusals are as the specification has them', [idempotency('spec')]],
])('Yoga passes all 61 audits of GraphQL over HTTP %s', async (_, plugins: Plugin[]) => {
  await using server = await serve(plugins);
  const audits = serverAudits({ url: server.url, fetchFn: fetch });
  const failed: string[] = [];
  for (const audit of audits) {
    const result = await audit.fn();
    if (result.status !== 'ok') failed.push(`${result.id} ${result.name}: ${result.reason}`);
  }
  expect(failed).toEqual([]);
  expect(audits).toHaveLength(61);
});

function idempotency(status: 'http' | 'spec' = 'http'): Plugin {
  return useIdempotency({ store: memoryStore(), acceptLoss: true, scope: () => 'alice', status });
}

async function serve(plugins: Plugin[]): Promise<AsyncDisposable & { readonly url: string }> {
  const yoga = createYoga({
    logging: false,
    plugins,
    schema: createSchema({
      typeDefs: [
        idempotentTypeDefs,
        'type Query { hello: String } type Mutation { pay: Int @idempotent(effect: EXTERNAL) }',
      ],
    }),
  });
  const server = createServer((request, response) => void yoga(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
