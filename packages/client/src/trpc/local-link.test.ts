import { unstable_localLink as localLink } from '@trpc/client';
import { expect, test } from 'vitest';
import { openTrpcClient } from '../../test/trpc-client.ts';
import { fail, openTrpcServer, paid } from '../../test/trpc-server.ts';

test('inside one process, the key travels around the input and stays the same', async () => {
  await using server = await openTrpcServer({ answers: [fail('SERVICE_UNAVAILABLE'), paid] });
  const { router } = server;
  const below = localLink({ router, createContext: async () => ({ headers: {} }) });
  const { client } = openTrpcClient(below, { transport: 'input' });
  await client.pay.mutate({ cents: 1 });
  const [first, second] = server.calls;
  expect(first?.input).toEqual({ $idempotency: expect.any(String), input: { cents: 1 } });
  expect(second?.input).toEqual(first?.input);
});
