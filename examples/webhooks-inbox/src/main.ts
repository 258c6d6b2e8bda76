import { migrate } from '@onceward/postgres';
import { openGateway } from '../../../test/support/faulty-gateway.ts';
import { listen } from '../../../test/support/listen.ts';
import { startDatabase } from '../../../test/support/start-database.ts';
import { sign } from './signature.ts';
import { createWebhooks, type PaymentEvent } from './webhooks.ts';

const secret = 'shared with the provider';

export async function main(): Promise<void> {
  await using database = await startDatabase();
  await migrate(database.pool);
  await database.pool.query('create table accounts (id text primary key, cents int not null)');
  await database.pool.query(`insert into accounts values ('ada', 0)`);
  await using server = await listen(createWebhooks(database.pool, secret));
  await using network = await openGateway(server.url);

  const event = { id: 'evt_1', account: 'ada', cents: 1200 };
  const deliver = (signedWith: string) => sendWebhook(network.url, event, signedWith);

  console.log('A payment of 1200, forged:');
  console.log(await deliver('guessed'));
  console.log('The same, from the provider, and our answer is lost:');
  network.failNext('reset after');
  console.log(await deliver(secret));
  console.log('So the provider delivers it again:');
  console.log(await deliver(secret));

  const { rows } = await database.pool.query<{ cents: number }>('select cents from accounts');
  console.log(`On the account: ${rows[0]?.cents}`);
}

/** What a provider does, which comes again until it has an answer. */
async function sendWebhook(url: string, event: PaymentEvent, signedWith: string): Promise<string> {
  const body = JSON.stringify(event);
  try {
    const signature = sign(body, signedWith);
    const headers = { 'content-type': 'application/json', signature };
    const response = await fetch(`${url}/webhooks`, { method: 'POST', headers, body });
    return `  ${response.status} ${await response.text()}`;
  } catch {
    return '  no answer';
  }
}
