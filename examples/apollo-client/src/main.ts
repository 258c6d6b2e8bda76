import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gql } from '@apollo/client';
import type { Network } from '@onceward/client';
import { resumeDelivery, wasReplayed } from '@onceward/client/apollo';
import { fileJournal } from '@onceward/client/node';
import { type FaultyGateway, openGateway } from '../../../test/support/faulty-gateway.ts';
import { listen } from '../../../test/support/listen.ts';
import { openApp, PAY } from './open-app.ts';
import { createPaymentsServer } from './payments-server.ts';

export async function main(): Promise<void> {
  const yoga = createPaymentsServer();
  await using server = await listen((request, response) => void yoga(request, response));
  await using network = await openGateway(server.url);
  const folder = await mkdtemp(join(tmpdir(), 'onceward-example-'));

  console.log('Paying 1200 while offline, and closing the app:');
  await payOffline(network, folder);
  console.log('Opening it again, online, and the first answer is lost:');
  network.failNext('reset after');
  await goOn(network, folder);
  await rm(folder, { recursive: true });
}

async function payOffline({ url }: FaultyGateway, folder: string): Promise<void> {
  const offline: Network = { online: () => false, listen: () => () => {} };
  const store = fileJournal({ folder });
  const { client, journal } = openApp(`${url}/graphql`, { store, network: offline });
  const kept = new Promise<void>((resolve) => {
    journal.subscribe(() => {
      if (journal.records().length > 0) resolve();
    });
  });
  // Nobody is told how it ends: the app is gone by then.
  client.mutate({ mutation: PAY, variables: { cents: 1200 } }).catch(() => {});
  await kept;
  console.log(
    `  on the device: ${journal
      .records()
      .map(({ state }) => state)
      .join()}`,
  );
  journal.close();
  await store.close();
}

async function goOn({ url, requests }: FaultyGateway, folder: string): Promise<void> {
  const store = fileJournal({ folder });
  const { client, journal } = openApp(`${url}/graphql`, { store });
  const settled = new Promise<string>((resolve) => {
    // Also told of what was left before.
    journal.onSettled(PAY, (ended) => {
      if (ended.kind !== 'succeeded') return resolve(ended.kind);
      const replayed = wasReplayed(ended.result) ? ', replayed' : '';
      resolve(`paid, payment ${ended.result.data.pay.id}${replayed}`);
    });
  });
  resumeDelivery(client);
  console.log(`  ${await settled}, sent ${requests.length} times`);

  const { data } = await client.query({ query: gql('{ payments { id cents } }') });
  console.log(`On the server: ${JSON.stringify(data)}`);
  journal.close();
  await store.close();
}
