import { mintKey } from '@onceward/core';
import {
  createTRPCClient,
  httpBatchLink,
  httpLink,
  loggerLink,
  TRPCClientError,
} from '@trpc/client';
import { initTRPC } from '@trpc/server';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import superjson from 'superjson';
import { describe, expect, expectTypeOf, test, vi } from 'vitest';
import { memoryJournal } from '../journal/memory-journal.ts';
import { type AppRouter, fail, openTrpcServer } from '../../test/trpc-server.ts';
import {
  createJournal,
  deliveryErrorOf,
  idempotencyHeaders,
  idempotencyKey,
  idempotencyLink,
  journalEntry,
  type MutationPath,
  resumeDelivery,
} from './index.ts';

const offline = { online: () => false, listen: () => () => {} };

/** A page of an application, over a store that outlives it. */
function openPage(
  url: string,
  { store = memoryJournal(), ...options }: Partial<Parameters<typeof createJournal>[0]> = {},
) {
  const journal = createJournal<AppRouter>({ store, scope: 'alice', baseDelayMs: 1, ...options });
  const client = createTRPCClient<AppRouter>({
    links: [idempotencyLink({ journal }), httpBatchLink({ url, headers: idempotencyHeaders() })],
  });
  return { journal, client };
}

describe('a link with a journal', () => {
  test('delivers a mutation under one key through trouble, and leaves nothing behind', async () => {
    await using server = await openTrpcServer({
      faults: [(response) => response.destroy(), (response) => response.writeHead(503).end()],
    });
    const { journal, client } = openPage(server.url);
    await expect(client.pay.mutate({ cents: 100 })).resolves.toEqual({ paid: { cents: 100 } });
    expect(server.calls).toHaveLength(1);
    expect(server.requests).toHaveLength(3);
    const sent = server.requests.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(sent).size).toBe(1);
    await vi.waitFor(() => expect(journal.records()).toEqual([]));
  });

  test('takes its keys from the journal, so that an engine without crypto needs one source', async () => {
    await using server = await openTrpcServer();
    const key = mintKey();
    const { client } = openPage(server.url, { newKeys: () => () => key });
    await client.pay.mutate({ cents: 100 });
    expect(server.requests[0]?.headers['idempotency-key']).toBe(`"${key}"`);
  });

  test('delivers what an earlier page has left, as soon as the client is used', async () => {
    await using server = await openTrpcServer();
    const store = memoryJournal();
    const first = openPage(server.url, { store, network: offline });
    first.client.pay.mutate({ cents: 100 }).catch(() => {});
    await vi.waitFor(() => expect(first.journal.records()).toHaveLength(1));
    const [{ key } = { key: '' }] = first.journal.records();
    first.journal.close();

    const second = openPage(server.url, { store });
    const results: unknown[] = [];
    second.journal.onSettled('pay', (settled) => {
      results.push(settled.kind === 'succeeded' && settled.result);
    });
    await second.client.balance.query();
    await second.journal.drain();
    await vi.waitFor(() => expect(second.journal.records()).toEqual([]));
    const mutations = server.calls.filter(({ path }) => path === 'pay');
    expect(mutations).toEqual([{ path: 'pay', input: { cents: 100 }, key: `"${key}"` }]);
    expect(results).toEqual([{ paid: { cents: 100 } }]);
  });

  test('is asked by resumeDelivery to deliver at once, and nothing else is sent', async () => {
    await using server = await openTrpcServer();
    const store = memoryJournal();
    const first = openPage(server.url, { store, network: offline });
    first.client.pay.mutate({ cents: 100 }).catch(() => {});
    await vi.waitFor(() => expect(first.journal.records()).toHaveLength(1));
    first.journal.close();

    const journal = createJournal<AppRouter>({ store, scope: 'alice' });
    const above: string[] = [];
    const client = createTRPCClient<AppRouter>({
      links: [
        loggerLink({ logger: ({ direction }) => above.push(direction) }),
        idempotencyLink({ journal }),
        httpBatchLink({ url: server.url, headers: idempotencyHeaders() }),
      ],
    });
    resumeDelivery(client);
    await vi.waitFor(() => expect(journal.records()).toMatchObject([{ state: 'succeeded' }]));
    expect(server.calls.map(({ path }) => path)).toEqual(['pay']);
    expect(server.requests).toHaveLength(1);
    // A link above sees it come and go.
    expect(above).toEqual(['up', 'down']);
    journal.close();
  });

  test('gives an error of the server to who waits, and the same to a later page', async () => {
    await using server = await openTrpcServer({ answers: [fail('FORBIDDEN', 'no')] });
    const store = memoryJournal();
    const first = openPage(server.url, { store });
    first.journal.onSettled('pay', () => Promise.reject(new Error('not ready')));
    const live = await first.client.pay.mutate({}).catch((error: unknown) => error);
    first.journal.close();

    const errors: unknown[] = [];
    const second = openPage(server.url, { store });
    second.journal.onSettled('pay', (settled) => {
      errors.push(settled.kind === 'failed' && settled.error);
    });
    await second.client.balance.query().catch(() => {});
    await vi.waitFor(() => expect(errors).toHaveLength(1));
    for (const error of [live, ...errors]) {
      expect(error).toBeInstanceOf(TRPCClientError);
      expect(error).toMatchObject({ message: 'no', data: { code: 'FORBIDDEN', httpStatus: 403 } });
    }
  });

  test('takes the key, the lane and the intent of a call', async () => {
    await using server = await openTrpcServer();
    const { journal, client } = openPage(server.url, { network: offline });
    const key = mintKey();
    const entry = journalEntry({ lane: 'account', intent: 'order 1', meta: { title: 'Tea' } });
    const context = { ...idempotencyKey(key).context, ...entry.context };
    client.pay.mutate({ cents: 1 }, { context }).catch(() => {});
    client.pay.mutate({ cents: 1 }, { context }).catch(() => {});
    await vi.waitFor(() => expect(journal.records()).toHaveLength(1));
    expect(journal.records()).toMatchObject([
      { key, lane: 'account', intent: 'order 1', meta: { title: 'Tea' } },
    ]);
    journal.close();
  });

  test('sends a mutation without a key once, and keeps nothing of it', async () => {
    await using server = await openTrpcServer({ faults: [(response) => response.destroy()] });
    const { journal, client } = openPage(server.url);
    await expect(client.pay.mutate({}, idempotencyKey(null))).rejects.toThrow(TRPCClientError);
    expect(journal.records()).toEqual([]);
    expect(server.requests).toHaveLength(1);
  });

  test('a caller who no longer waits does not end the delivery', async () => {
    await using server = await openTrpcServer();
    const { journal, client } = openPage(server.url, { network: offline });
    const controller = new AbortController();
    const mutation = client.pay.mutate({}, { signal: controller.signal });
    await vi.waitFor(() => expect(journal.records()).toHaveLength(1));
    controller.abort();
    const error = await mutation.catch((thrown: unknown) => thrown);
    expect(deliveryErrorOf(error)).toMatchObject({ reason: 'aborted', execution: 'possible' });
    expect(error).toMatchObject({ name: 'TRPCClientError', cause: { name: 'AbortError' } });
    expect(journal.records()).toMatchObject([{ state: 'queued' }]);
    journal.close();
  });

  test('takes operations for others when those before are over, whatever their number', async () => {
    await using server = await openTrpcServer();
    const journal = createJournal<AppRouter>({ store: memoryJournal(), scope: 'alice' });
    const client = createTRPCClient<AppRouter>({
      links: [
        () =>
          ({ op, next }) =>
            next({ ...op, id: 1 }),
        idempotencyLink({ journal }),
        httpLink({ url: server.url, headers: idempotencyHeaders() }),
      ],
    });
    await client.pay.mutate({ cents: 1 });
    await client.pay.mutate({ cents: 2 });
    expect(new Set(server.calls.map(({ key }) => key)).size).toBe(2);
  });

  test('leaves alone what another one has sent', async () => {
    await using server = await openTrpcServer();
    const journal = createJournal<AppRouter>({ store: memoryJournal(), scope: 'alice' });
    const insertions = vi.spyOn(journal, 'submit');
    const client = createTRPCClient<AppRouter>({
      links: [
        idempotencyLink({ journal }),
        idempotencyLink({ journal }),
        httpLink({ url: server.url, headers: idempotencyHeaders() }),
      ],
    });
    await client.pay.mutate({ cents: 1 });
    expect(insertions).toHaveBeenCalledTimes(1);
    expect(server.requests).toHaveLength(1);
  });

  test('puts a key around the input, where it travels so, also after a restart', async () => {
    await using server = await openTrpcServer();
    const store = memoryJournal();
    const open = (network?: typeof offline) => {
      const journal = createJournal<AppRouter>({ store, scope: 'alice', network });
      const links = [idempotencyLink({ journal, transport: 'input' }), httpLink(server)];
      return { journal, client: createTRPCClient<AppRouter>({ links }) };
    };
    const first = open(offline);
    first.client.pay.mutate({ cents: 1 }).catch(() => {});
    await vi.waitFor(() => expect(first.journal.records()).toHaveLength(1));
    const [{ key } = { key: '' }] = first.journal.records();
    first.journal.close();
    const second = open();
    resumeDelivery(second.client);
    await vi.waitFor(() => expect(server.calls).toHaveLength(1));
    expect(server.calls).toMatchObject([{ input: { $idempotency: key, input: { cents: 1 } } }]);
    second.journal.close();
  });

  test('refuses an input that the journal could not give back, before anything happened', async () => {
    await using server = await openTrpcServer();
    const { journal, client } = openPage(server.url);
    const refused = client.pay.mutate({ at: new Date() });
    await expect(refused).rejects.toThrow(/pass `transformer`/);
    expect(server.requests).toEqual([]);
    journal.close();
  });
});

test.each<[string, unknown]>([
  ['a form', new FormData()],
  ['a file', new Blob(['receipt'])],
  ['a file in a list', [new File(['receipt'], 'receipt.txt')]],
  ['a stream', new ReadableStream()],
])('%s is refused, also with a transformer that would empty it', async (_, receipt) => {
  await using server = await openTrpcServer();
  const { journal, client } = openPage(server.url, { transformer: superjson });
  for (const input of [receipt, { receipt }]) {
    await expect(client.pay.mutate(input as Record<string, unknown>)).rejects.toThrow('no files');
  }
  expect(journal.records()).toEqual([]);
  expect(server.requests).toEqual([]);
  journal.close();
});

test('resumeDelivery of a client without a journal does no harm', async () => {
  await using server = await openTrpcServer();
  const links = [idempotencyLink(), httpBatchLink({ url: server.url })];
  resumeDelivery(createTRPCClient<AppRouter>({ links }));
  await vi.waitFor(() => expect(server.requests).toHaveLength(1));
  expect(server.calls).toEqual([]);
});

test('with a transformer, inputs and answers outlive the page as they were', async () => {
  const arrived: unknown[] = [];
  const t = initTRPC.create({ transformer: superjson });
  const router = t.router({
    pay: t.procedure
      .input((input) => input as { at: Date })
      .mutation(({ input }) => {
        arrived.push(input);
        return { paidAt: new Date(input.at.getTime() + 1) };
      }),
    ping: t.procedure.query(() => 'pong'),
  });
  const store = memoryJournal();
  const open = (options: { network?: typeof offline }) => {
    const journal = createJournal<typeof router>({
      store,
      scope: 'alice',
      transformer: superjson,
      ...options,
    });
    const client = createTRPCClient<typeof router>({
      links: [
        idempotencyLink({ journal }),
        httpLink({
          url: 'http://localhost',
          transformer: superjson,
          headers: idempotencyHeaders(),
          fetch: (url, init) =>
            fetchRequestHandler({
              endpoint: '',
              router,
              req: new Request(url, init as RequestInit),
            }),
        }),
      ],
    });
    return { journal, client };
  };
  const first = open({ network: offline });
  first.client.pay.mutate({ at: new Date(5) }).catch(() => {});
  await vi.waitFor(() => expect(first.journal.records()).toHaveLength(1));
  first.journal.close();

  const second = open({});
  const results: Date[] = [];
  second.journal.onSettled('pay', (settled) => {
    if (settled.kind !== 'succeeded') return;
    expectTypeOf(settled.result).toEqualTypeOf<{ paidAt: Date }>();
    results.push(settled.result.paidAt);
  });
  // @ts-expect-error A query never settles.
  second.journal.onSettled('ping', () => {});
  await second.client.ping.query();
  await vi.waitFor(() => expect(results).toEqual([new Date(6)]));
  expect(arrived).toEqual([{ at: new Date(5) }]);
});

test('paths of mutations are known by their names', () => {
  const t = initTRPC.create();
  const mutation = t.procedure.mutation(() => 1);
  const orders = t.router({ create: mutation, list: t.procedure.query(() => 2) });
  const router = t.router({ pay: mutation, orders });
  expectTypeOf<MutationPath<typeof router>>().toEqualTypeOf<'pay' | 'orders.create'>();
  expect(router).toHaveProperty('orders.create');
});
