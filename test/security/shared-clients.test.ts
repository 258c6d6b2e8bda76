import { idempotentFetch } from '@onceward/client/fetch';
import { idempotencyHeaders, idempotencyLink } from '@onceward/client/trpc';
import { createTRPCClient, httpBatchLink, httpLink } from '@trpc/client';
import type { AnyTRPCRouter } from '@trpc/server';
import { expect, test } from 'vitest';
import { openBank } from './open-bank.ts';

const mutations = 500;

test.each([
  ['httpLink', httpLink],
  ['httpBatchLink', httpBatchLink],
] as const)(
  'S21: mutations at once on one tRPC client over %s have a key each',
  async (_, link) => {
    await using bank = await openBank();
    const client = createTRPCClient<AnyTRPCRouter>({
      links: [
        idempotencyLink(),
        link({
          url: bank.url,
          headers: idempotencyHeaders({ authorization: 'Bearer alice' }),
          maxItems: 20,
        }),
      ],
    }) as unknown as { pay: { mutate(input: unknown): Promise<unknown> } };
    await Promise.all(
      Array.from({ length: mutations }, (_each, cents) => client.pay.mutate({ cents })),
    );

    expect(bank.ledger).toHaveLength(mutations);
    expect(new Set(bank.ledger.map(({ key }) => key)).size).toBe(mutations);
    expect(new Set(bank.ledger.map(({ input }) => JSON.stringify(input))).size).toBe(mutations);
  },
);

test('S21: mutations at once through one fetch have a key each', async () => {
  await using bank = await openBank();
  const send = idempotentFetch({ key: () => true });
  const headers = { 'content-type': 'application/json', authorization: 'Bearer alice' };
  // One object for all of them, as applications share their defaults.
  const shared = { method: 'POST', headers, body: '{"cents":1}' };
  await Promise.all(Array.from({ length: 100 }, () => send(`${bank.url}/pay`, shared)));

  expect(new Set(bank.ledger.map(({ key }) => key)).size).toBe(100);
  expect(Object.keys(headers)).toEqual(['content-type', 'authorization']);
});
