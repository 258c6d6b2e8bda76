import { idempotentFetch } from '@onceward/client/fetch';
import { formatKeyHeader, headerNames, mintKey } from '@onceward/core';
import { migrate } from '@onceward/postgres';
import { openGateway } from '../../../test/support/faulty-gateway.ts';
import { listen } from '../../../test/support/listen.ts';
import { startDatabase } from '../../../test/support/start-database.ts';
import { createOrders, type Order } from './orders.ts';

export async function main(): Promise<void> {
  await using database = await startDatabase();
  await migrate(database.pool);
  await database.pool.query('create table orders (id serial primary key, item text not null)');
  await using server = await listen(createOrders(database.pool));
  await using network = await openGateway(server.url);

  const send = idempotentFetch({
    onEvent: (event) => {
      if (event.kind === 'attempt-waiting') console.log(`  no answer (${event.why}), sent again`);
    },
  });
  // One key per order, not per request: kept with the order, it survives a reload.
  const key = formatKeyHeader(mintKey());
  const post = (item: string) =>
    send(`${network.url}/orders`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [headerNames.key]: key },
      body: JSON.stringify({ item }),
    });

  console.log('Ordering a book, and the first answer is lost:');
  network.failNext('reset after');
  await tell(await post('book'));
  console.log('Clicking again, under the same key:');
  await tell(await post('book'));
  console.log('A pen, under the key of the book:');
  await tell(await post('pen'));

  const { rows } = await database.pool.query<Order>('select id, item from orders');
  console.log(`In the database: ${JSON.stringify(rows)}`);
}

async function tell(response: Response): Promise<void> {
  const replayed = response.headers.get(headerNames.replayed) === 'true';
  const { id, title } = (await response.json()) as Partial<Order> & { title?: string };
  const answer = id === undefined ? title : `order ${id}`;
  console.log(`  ${response.status}${replayed ? ', replayed' : ''}: ${answer}`);
}
