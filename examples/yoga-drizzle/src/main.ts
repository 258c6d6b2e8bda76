import { idempotentFetch, isMutation } from '@onceward/client/fetch';
import { migrate } from '@onceward/postgres';
import { gql, GraphQLClient } from 'graphql-request';
import { openGateway } from '../../../test/support/faulty-gateway.ts';
import { listen } from '../../../test/support/listen.ts';
import { startDatabase } from '../../../test/support/start-database.ts';
import { openDrizzle } from './database.ts';
import { createPaymentsServer } from './payments-server.ts';

export async function main(): Promise<void> {
  await using database = await startDatabase();
  await migrate(database.pool);
  await database.pool.query('create table payments (id serial primary key, cents int not null)');
  const yoga = createPaymentsServer(openDrizzle(database.pool));
  await using server = await listen((request, response) => void yoga(request, response));
  await using network = await openGateway(server.url);

  const client = new GraphQLClient(`${network.url}/graphql`, {
    // A key for every mutation.
    fetch: idempotentFetch({
      key: isMutation,
      onEvent: (event) => {
        if (event.kind === 'attempt-waiting') console.log(`  no answer (${event.why}), sent again`);
      },
    }),
  });
  const pay = gql`
    mutation Pay($cents: Int!) {
      pay(cents: $cents) {
        id
      }
    }
  `;

  console.log('Paying 1200, and the first two answers are lost:');
  network.failNext('reset after', 'half the body');
  console.log(`  answered: ${JSON.stringify(await client.request(pay, { cents: 1200 }))}`);
  const made: unknown = await client.request('{ payments { id cents } }');
  console.log(`In the database: ${JSON.stringify(made)}`);
}
