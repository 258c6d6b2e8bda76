import { MutationObserver, QueryClient } from '@tanstack/react-query';
import { mintKey } from '@onceward/core';
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query';
import { expect, test } from 'vitest';
import { openHttpClient } from '../../test/trpc-client.ts';
import {
  type AppRouter,
  fail,
  openTrpcServer,
  paid,
  type TrpcServer,
} from '../../test/trpc-server.ts';
import type { IdempotencyLinkOptions } from './link-options.ts';
import { idempotencyKey } from './operation-key.ts';

const outage = fail('SERVICE_UNAVAILABLE');

test('retries of the link use one key; those of TanStack Query are not needed', async () => {
  await using server = await openTrpcServer({ answers: [outage, outage, paid] });
  const { trpc, mutate } = openQueryClient(server);
  await mutate(trpc.pay.mutationOptions({ retry: 0 }), { cents: 1 });
  expect([server.calls.length, new Set(server.keys()).size]).toEqual([3, 1]);
});

test('a retry of TanStack Query is a new call, and has a new key', async () => {
  await using server = await openTrpcServer({ answers: [outage, paid] });
  const { trpc, mutate } = openQueryClient(server, { maxAttempts: 1 });
  await mutate(trpc.pay.mutationOptions({ retry: 1, retryDelay: 1 }), { cents: 1 });
  expect([server.calls.length, new Set(server.keys()).size]).toEqual([2, 2]);
});

test('a key that comes from the variables survives them', async () => {
  await using server = await openTrpcServer({ answers: [outage, paid] });
  const { trpc, mutate } = openQueryClient(server, {
    maxAttempts: 1,
    key: ({ input }) => (input as { id: string }).id,
  });
  const id = mintKey();
  await mutate(trpc.pay.mutationOptions({ retry: 1, retryDelay: 1 }), { id, cents: 1 });
  expect(server.keys()).toEqual([`"${id}"`, `"${id}"`]);
});

test('a key in the options of a hook is that of all its mutations', async () => {
  await using server = await openTrpcServer();
  const { trpc, mutate } = openQueryClient(server);
  const key = mintKey();
  const options = trpc.pay.mutationOptions({ trpc: idempotencyKey(key) });
  await mutate(options, { cents: 1 });
  await mutate(options, { cents: 2 });
  expect(server.keys()).toEqual([`"${key}"`, `"${key}"`]);
});

test('a context in the options of a hook does not tie its mutations together', async () => {
  await using server = await openTrpcServer();
  const { trpc, mutate } = openQueryClient(server);
  const options = trpc.pay.mutationOptions({ trpc: { context: { trace: 1 } } });
  await mutate(options, { cents: 1 });
  await mutate(options, { cents: 2 });
  expect(new Set(server.keys()).size).toBe(2);
});

function openQueryClient(server: TrpcServer, options: IdempotencyLinkOptions = {}) {
  const { client } = openHttpClient(server, 'httpLink', options);
  const queryClient = new QueryClient();
  const trpc = createTRPCOptionsProxy<AppRouter>({ client, queryClient });
  type PayOptions = ReturnType<typeof trpc.pay.mutationOptions>;
  return {
    trpc,
    mutate: (mutation: PayOptions, variables: Record<string, unknown>) =>
      new MutationObserver(queryClient, mutation).mutate(variables),
  };
}
