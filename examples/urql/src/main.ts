import { deliveryErrorOf, wasReplayed } from '@onceward/client/urql';
import { mintKey } from '@onceward/core';
import { gql, type OperationResult } from '@urql/core';
import { openGateway } from '../../../test/support/faulty-gateway.ts';
import { listen } from '../../../test/support/listen.ts';
import { openClient } from './open-client.ts';
import { createPaymentsServer } from './payments-server.ts';

const PAY = gql`
  mutation Pay($cents: Int!) {
    pay(cents: $cents) {
      id
    }
  }
`;

export async function main(): Promise<void> {
  const yoga = createPaymentsServer();
  await using server = await listen((request, response) => void yoga(request, response));
  await using network = await openGateway(server.url);
  const client = openClient(`${network.url}/graphql`);
  const payment = { cents: 1200 };
  // One per payment, not per click. Without it, every call of `mutation` has a key of its own.
  const idempotencyKey = mintKey();

  console.log('Paying 1200. A gateway is down, then the answer is lost:');
  network.failNext('HTML 502 before', 'reset after');
  tell(await client.mutation(PAY, payment, { idempotencyKey }));
  console.log('Clicking again, under the same key:');
  tell(await client.mutation(PAY, payment, { idempotencyKey }));
  console.log('Another amount, under the same key:');
  tell(await client.mutation(PAY, { cents: 1300 }, { idempotencyKey }));

  const { data } = await client.query<unknown>('{ payments { id cents } }', {});
  console.log(`On the server: ${JSON.stringify(data)}`);
}

function tell({ data, error, extensions }: OperationResult<unknown>): void {
  const replayed = wasReplayed({ extensions }) ? 'replayed: ' : '';
  if (!error) console.log(`  ${replayed}${JSON.stringify(data)}`);
  else if (deliveryErrorOf(error)) console.log('  Nobody knows yet whether it was paid.');
  else console.log(`  refused: ${error.graphQLErrors[0]?.extensions['code'] as string}`);
}
