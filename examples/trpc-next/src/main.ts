import { idempotencyHeaders, idempotencyLink, statusAwareFetch } from '@onceward/client/trpc';
import { migrate } from '@onceward/postgres';
import { nodeHandler } from '@onceward/server/fetch';
import { createTRPCClient, httpBatchLink } from '@trpc/client';
import { openGateway } from '../../../test/support/faulty-gateway.ts';
import { listen } from '../../../test/support/listen.ts';
import { startDatabase } from '../../../test/support/start-database.ts';
import type { AppRouter } from './server/app-router.ts';

/** Stands for Next.js, which is not installed here: serves the route, and is its page. */
export async function main(): Promise<void> {
  await using database = await startDatabase();
  await migrate(database.pool);
  const table = 'id serial primary key, payer text not null, cents int not null';
  await database.pool.query(`create table payments (${table})`);

  process.env['DATABASE_URL'] = database.url;
  const { GET, POST } = await import('./app/api/trpc/[trpc]/route.ts');
  const route = nodeHandler((request) => (request.method === 'GET' ? GET : POST)(request));
  await using server = await listen(route);
  await using network = await openGateway(server.url);

  const client = createTRPCClient<AppRouter>({
    links: [
      idempotencyLink({
        onEvent: (event) => {
          if (event.kind === 'attempt-waiting') {
            console.log(`  no answer (${event.why}), sent again`);
          }
        },
      }),
      httpBatchLink({
        url: `${network.url}/api/trpc`,
        headers: idempotencyHeaders(),
        fetch: statusAwareFetch(),
      }),
    ],
  });

  console.log('Paying 1200, and the first two answers are lost:');
  network.failNext('reset after', 'HTML 502 after');
  console.log('  answered:', await client.pay.mutate({ cents: 1200 }));
  console.log(`Payments made: ${await client.paymentCount.query()}`);

  const { pool } = await import('./server/database.ts');
  await pool.end();
}
