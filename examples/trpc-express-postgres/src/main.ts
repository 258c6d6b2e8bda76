import {
  idempotencyHeaders,
  idempotencyKey,
  idempotencyLink,
  statusAwareFetch,
} from '@onceward/client/trpc';
import { mintKey } from '@onceward/core';
import { migrate } from '@onceward/postgres';
import { createTRPCClient, httpBatchLink } from '@trpc/client';
import { openGateway } from '../../../test/support/faulty-gateway.ts';
import { listen } from '../../../test/support/listen.ts';
import { startDatabase } from '../../../test/support/start-database.ts';
import { createPaymentsServer, type PaymentsRouter } from './payments-server.ts';

export async function main(): Promise<void> {
  await using database = await startDatabase();
  await migrate(database.pool);
  const table = 'id serial primary key, payer text not null, cents int not null';
  await database.pool.query(`create table payments (${table})`);
  await using server = await listen(createPaymentsServer(database.pool));
  await using network = await openGateway(server.url);

  const client = createTRPCClient<PaymentsRouter>({
    links: [
      idempotencyLink({
        onEvent: (event) => {
          if (event.kind === 'attempt-waiting')
            console.log(`  no answer (${event.why}), sent again`);
        },
      }),
      httpBatchLink({
        url: `${network.url}/trpc`,
        headers: idempotencyHeaders({ authorization: 'Bearer ada' }),
        fetch: statusAwareFetch(),
      }),
    ],
  });
  const payment = { cents: 1200 };
  const key = mintKey();

  console.log('Paying 1200, and the first answer is lost:');
  network.failNext('reset after');
  console.log('  answered:', await client.pay.mutate(payment, idempotencyKey(key)));
  console.log('Clicking again, under the same key:');
  console.log('  answered:', await client.pay.mutate(payment, idempotencyKey(key)));
  console.log('Another payment, under a key of its own:');
  console.log('  answered:', await client.pay.mutate(payment));

  const { rows } = await database.pool.query('select id, payer, cents from payments order by id');
  console.log(`In the database: ${JSON.stringify(rows)}`);
}
