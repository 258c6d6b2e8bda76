import { idempotentFetch } from '@onceward/client/fetch';
import { idempotencyHeaders, idempotencyLink } from '@onceward/client/trpc';
import { createTRPCClient, httpBatchLink, httpLink } from '@trpc/client';
import type { AnyTRPCRouter } from '@trpc/server';
import { expect, test } from 'vitest';
import { openBank } from './open-bank.ts';

const mutations = 500;
const headers = idempotencyHeaders({ authorization: 'Bearer alice' });

test.each([
  ['httpLink', (url: string) => httpLink({ url, headers })],
  ['httpBatchLink', (url: string) => httpBatchLink({ url, headers, maxItems: 20 })],
])('S21: mutations at once on one tRPC client over %s have a key each', async (_, link) => {
  await using bank = await openBank();
  const client = createTRPCClient<AnyTRPCRouter>({
    links: [idempotencyLink(), link(bank.url)],
  }) as unknown as { pay: { mutate(input: unknown): Promise<unknown> } };
  await Promise.all(
    Array.from({ length: mutations }, (_each, cents) => client.pay.mutate({ cents })),
  );

  expect(bank.ledger).toHaveLength(mutations);
  expect(new Set(bank.ledger.map(({ key }) => key)).size).toBe(mutations);
  expect(new Set(bank.ledger.map(({ input }) => JSON.stringify(input))).size).toBe(mutations);
});

test('S21: mutations at once through one fetch have a key each', async () => {
  await using bank = await openBank();
  const send = idempotentFetch({ key: () => true });
  const own = { 'content-type': 'application/json', authorization: 'Bearer alice' };
  // One object for all of them, as applications share their defaults.
  const shared = { method: 'POST', headers: own, body: '{"cents":1}' };
  await Promise.all(Array.from({ length: 100 }, () => send(`${bank.url}/pay`, shared)));

  expect(new Set(bank.ledger.map(({ key }) => key)).size).toBe(100);
  expect(Object.keys(own)).toEqual(['content-type', 'authorization']);
});
