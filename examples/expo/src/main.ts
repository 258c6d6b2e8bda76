import { randomFillSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keysFrom, type Network } from '@onceward/client';
import { fileJournal } from '@onceward/client/node';
import { type FaultyGateway, openGateway } from '../../../test/support/faulty-gateway.ts';
import { listen } from '../../../test/support/listen.ts';
import { createPaymentsServer } from './payments-server.ts';
import { createPayments } from './payments.ts';

/** The payments of the app without a phone: rows in files in place of SQLite, keys from Node.js. */
export async function main(): Promise<void> {
  await using server = await listen(createPaymentsServer());
  await using network = await openGateway(server.url);
  const folder = await mkdtemp(join(tmpdir(), 'onceward-example-'));

  console.log('Paying 1200 in flight mode, and closing the app:');
  await payOffline(network, folder);
  console.log('Opening it again, online, and the first answer is lost:');
  // That of the payment, and that of the query which is sent beside it.
  network.failNext('reset after', 'reset after');
  await goOn(network, folder);
  await rm(folder, { recursive: true });
}

const newKeys = keysFrom((bytes) => randomFillSync(bytes));

async function payOffline({ url }: FaultyGateway, folder: string): Promise<void> {
  const flightMode: Network = { online: () => false, listen: () => () => {} };
  const store = fileJournal({ folder });
  const { client, journal } = createPayments(url, { store, newKeys, network: flightMode });
  const kept = new Promise<void>((resolve) => {
    journal.subscribe(() => {
      if (journal.records().length > 0) resolve();
    });
  });
  // Nobody is told how it ends: the app is gone by then.
  client.pay.mutate({ cents: 1200 }).catch(() => {});
  await kept;
  const states = journal.records().map(({ state }) => state);
  console.log(`  on the device: ${states.join()}`);
  journal.close();
  await store.close();
}

async function goOn({ url, requests }: FaultyGateway, folder: string): Promise<void> {
  const store = fileJournal({ folder });
  const { client, journal } = createPayments(url, { store, newKeys });
  const settled = new Promise<string>((resolve) => {
    // Also told of what was left before.
    journal.onSettled('pay', (ended) => {
      if (ended.kind === 'succeeded') resolve(`paid ${ended.result.cents}`);
      else resolve(ended.kind);
    });
  });
  // The first operation of a client begins to deliver what was left.
  const before = client.paymentCount.query().catch(() => undefined);
  console.log(`  ${await settled}`);
  await before;
  const keys = requests.flatMap(({ headers }) => headers['idempotency-key'] ?? []);
  console.log(`  sent ${keys.length} times, under ${new Set(keys).size} key`);
  console.log(`Payments made: ${await client.paymentCount.query()}`);
  journal.close();
  await store.close();
}
