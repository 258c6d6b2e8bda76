import { startStandaloneServer } from '@apollo/server/standalone';
import { idempotentFetch } from '@onceward/client/fetch';
import { formatKeyHeader, headerNames, mintKey } from '@onceward/core';
import { migrate } from '@onceward/postgres';
import { openGateway } from '../../../test/support/faulty-gateway.ts';
import { startDatabase } from '../../../test/support/start-database.ts';
import { createPaymentsServer } from './payments-server.ts';
import { openPrisma } from './prisma.ts';

export async function main(): Promise<void> {
  await using database = await startDatabase();
  await migrate(database.pool);
  await database.pool.query('create table payments (id serial primary key, cents int not null)');
  await using opened = await openPrisma(database.url);
  const server = createPaymentsServer(opened.prisma);
  const { url } = await startStandaloneServer(server, {
    listen: { host: '127.0.0.1', port: 0 },
    // Nobody signs in here. In an application the user comes from a session.
    context: async () => ({ user: 'ada' }),
  });
  await using network = await openGateway(url);

  const send = idempotentFetch({
    onEvent: (event) => {
      if (event.kind === 'attempt-waiting') console.log(`  no answer (${event.why}), sent again`);
    },
  });
  const key = { [headerNames.key]: formatKeyHeader(mintKey()) };
  const ask = async (query: string, headers: Record<string, string> = {}) => {
    const response = await send(network.url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    const replayed = response.headers.get(headerNames.replayed) === 'true';
    const { data } = (await response.json()) as { data: unknown };
    console.log(`  ${response.status}${replayed ? ', replayed' : ''}: ${JSON.stringify(data)}`);
  };

  console.log('Paying 1200, and the first answer is lost:');
  network.failNext('reset after');
  await ask('mutation { pay(cents: 1200) { id } }', key);
  console.log('Clicking again, under the same key:');
  await ask('mutation { pay(cents: 1200) { id } }', key);
  console.log('In the database:');
  await ask('{ payments { id cents } }');
  await server.stop();
}
