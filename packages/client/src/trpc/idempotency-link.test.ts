import {
  createTRPCClient,
  httpBatchLink,
  httpLink,
  isTRPCClientError,
  loggerLink,
  type Operation,
  retryLink,
  type TRPCClientError,
  type TRPCLink,
} from '@trpc/client';
import { observable } from '@trpc/server/observable';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { deferred } from '../../../../test/support/deferred.ts';
import { httpLinks, openHttpClient, openTrpcClient } from '../../test/trpc-client.ts';
import { type AppRouter, fail, openTrpcServer, paid } from '../../test/trpc-server.ts';
import { deliveryErrorOf } from './client-error.ts';
import { idempotencyHeaders } from './idempotency-headers.ts';
import { idempotencyLink } from './idempotency-link.ts';
import type { IdempotencyLinkOptions } from './link-options.ts';
import type { TrpcFetch } from './status-aware-fetch.ts';

test.each(['query', 'subscription'] as const)('a %s passes as it is', (type) => {
  const op: Operation = { id: 1, type, path: 'x', input: 1, context: {}, signal: null };
  const passed: Operation[] = [];
  const result = observable<never, never>(() => {});
  const next = (given: Operation) => (passed.push(given), result);
  expect(idempotencyLink()({})({ op, next })).toBe(result);
  expect(passed[0]).toBe(op);
});

test('a query that fails is not retried', async () => {
  await using server = await openTrpcServer({ answers: [fail('SERVICE_UNAVAILABLE')] });
  const { client, events } = openHttpClient(server);
  await expect(client.balance.query()).rejects.toThrow('SERVICE_UNAVAILABLE');
  expect([server.calls.length, events]).toEqual([1, []]);
});

test('a result comes with the response, for the links above', async () => {
  await using server = await openTrpcServer({ responseHeaders: { 'idempotent-replayed': 'true' } });
  const replayed: unknown[] = [];
  const above: TRPCLink<AppRouter> =
    () =>
    ({ op, next }) =>
      observable((observer) =>
        next(op).subscribe({
          ...observer,
          next(result) {
            const { headers } = result.context?.['response'] as Response;
            replayed.push(headers.get('idempotent-replayed'));
            observer.next(result);
          },
        }),
      );
  const { client } = openHttpClient(server, 'httpLink', { above: [above] });
  await client.pay.mutate({ cents: 1 });
  expect(replayed).toEqual(['true']);
});

test('every attempt sends the input as it was, whatever becomes of it meanwhile', async () => {
  const form = { cents: 1, items: ['tea'] };
  const change = () => {
    form.cents = 99;
    form.items.push('cake');
  };
  await using server = await openTrpcServer({
    answers: [
      (call) => {
        change();
        return fail('SERVICE_UNAVAILABLE')(call);
      },
      paid,
    ],
  });
  const { client } = openHttpClient(server);
  await client.pay.mutate(form);
  const first = { cents: 1, items: ['tea'] };
  expect(server.calls.map(({ input }) => input)).toEqual([first, first]);
});

test('a form with a file is sent again as it is', async () => {
  await using server = await openTrpcServer({
    faults: [(_, request) => void request.socket.destroy()],
    answers: [({ input }) => [...(input as FormData).entries()].length],
  });
  const { client } = openHttpClient(server);
  const form = new FormData();
  form.set('file', new File(['tea'], 'tea.txt'));
  form.set('cents', '1');
  await expect(client.upload.mutate(form)).resolves.toBe(2);
  const keys = server.requests.map(({ headers }) => headers['idempotency-key']);
  expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
});

describe('other links', () => {
  test('that retry above it do so under the same key, with the same input', async () => {
    await using server = await openTrpcServer({
      answers: [fail('BAD_GATEWAY'), fail('BAD_GATEWAY'), paid],
    });
    const form = { cents: 1 };
    const again = retryLink<AppRouter>({
      retry: ({ attempts }) => {
        form.cents = 99;
        return attempts < 3;
      },
    });
    const { client } = openHttpClient(server, 'httpLink', { maxAttempts: 1, above: [again] });
    await client.pay.mutate(form);
    expect(server.calls.map(({ input }) => input)).toEqual(Array(3).fill({ cents: 1 }));
    expect(new Set(server.keys()).size).toBe(1);
  });

  test('that retry do so under the same key, also with one between that copies the operation', async () => {
    const lost = () => Promise.reject(new TypeError('fetch failed'));
    await using server = await openTrpcServer();
    const { client, fetched } = retried(server.url, copying, [lost, lost]);
    const form = { cents: 1 };
    const paying = client.pay.mutate(form);
    form.cents = 99;
    await paying;
    expect(fetched()).toBe(3);
    expect(new Set(server.keys()).size).toBe(1);
    expect(server.calls.map(({ input }) => input)).toEqual(Array(3).fill({ cents: 1 }));
  });

  test('that change the input of a retry change it under the same key', async () => {
    const lost = () => Promise.reject(new TypeError('fetch failed'));
    await using server = await openTrpcServer();
    let token = 0;
    const signing: TRPCLink<AppRouter> =
      () =>
      ({ op, next }) =>
        next({ ...op, input: { token: ++token } });
    const { client } = retried(server.url, signing, [lost]);
    await client.pay.mutate({ cents: 1 });
    expect(new Set(server.keys()).size).toBe(1);
    expect(server.calls.map(({ input }) => input)).toEqual([{ token: 1 }, { token: 2 }]);
  });

  test('that make two mutations of one get a key for each', async () => {
    await using server = await openTrpcServer();
    const twice: TRPCLink<AppRouter> =
      () =>
      ({ op, next }) =>
        observable((observer) => {
          const last = { ...op, input: { part: 3 } };
          const second = { ...op, input: { part: 2 } };
          const then = (again: Operation) => ({
            complete: () => void next(again).subscribe(again === last ? observer : then(last)),
            error: observer.error,
          });
          next({ ...op, path: 'cancel', input: { part: 1 } }).subscribe(then(second));
        });
    const { client } = openHttpClient(server, 'httpLink', { above: [twice] });
    await client.pay.mutate({ cents: 1 });
    expect(server.calls.map(({ input }) => input)).toEqual([{ part: 1 }, { part: 2 }, { part: 3 }]);
    expect(new Set(server.keys()).size).toBe(3);
  });

  test('that never retry do not make it remember every failure', async () => {
    const sent: unknown[] = [];
    const deliver = idempotencyLink({ transport: 'input', maxAttempts: 1 })({});
    const next = ({ input }: Operation) =>
      observable<never, never>((observer) => {
        sent.push((input as { $idempotency: string }).$idempotency);
        observer.complete();
      });
    const failed = (id: number) =>
      new Promise<void>((resolve) => {
        const op = {
          id,
          type: 'mutation',
          path: 'x',
          input: id,
          context: {},
          signal: null,
        } as const;
        deliver({ op, next }).subscribe({ error: () => resolve() });
      });
    for (let id = 1; id <= 1_001; id++) await failed(id);
    await failed(1_001);
    expect(sent[1_001]).toBe(sent[1_000]);
    await failed(1);
    expect(sent[1_002]).not.toBe(sent[0]);
  });

  test('of two clients do not share keys, although both count their operations from 1', async () => {
    await using server = await openTrpcServer({ answers: [fail('BAD_GATEWAY'), paid] });
    const link = idempotencyLink<AppRouter>({ maxAttempts: 1 });
    const links = [copying, link, httpLinks.httpLink(server.url)];
    await expect(createTRPCClient<AppRouter>({ links }).pay.mutate({ cents: 1 })).rejects.toThrow();
    await createTRPCClient<AppRouter>({ links }).pay.mutate({ cents: 2 });
    expect(new Set(server.keys()).size).toBe(2);
  });

  test('of its own kind leave an operation alone that has its key already', async () => {
    await using server = await openTrpcServer({ answers: [fail('BAD_GATEWAY'), paid] });
    const seen: string[] = [];
    const outer = idempotencyLink<AppRouter>({
      baseDelayMs: 1,
      onEvent: ({ kind }) => void seen.push(kind),
    });
    const { client, events } = openHttpClient(server, 'httpLink', { above: [outer] });
    await client.pay.mutate({ cents: 1 });
    expect(events).toEqual([]);
    expect(seen.filter((kind) => kind === 'attempt-started')).toHaveLength(2);
    expect(new Set(server.keys()).size).toBe(1);
  });

  test('that read the context of an operation cannot read or send its key', async () => {
    await using server = await openTrpcServer();
    const contexts: unknown[] = [];
    const spy: TRPCLink<AppRouter> =
      () =>
      ({ op, next }) => (contexts.push(op.context), next(op));
    const link = idempotencyLink<AppRouter>();
    const links = [link, spy, httpLinks.httpLink(server.url)];
    const client = createTRPCClient<AppRouter>({ links });
    await client.pay.mutate({ cents: 1 }, { context: { trace: 1 } });
    expect(contexts).toHaveLength(1);
    expect(JSON.stringify(contexts)).toBe('[{"trace":1}]');
    expect(structuredClone(contexts)).toEqual([{ trace: 1 }]);
  });

  test('that look at errors see a `TRPCClientError`, whatever happened', async () => {
    const errors: unknown[] = [];
    const spy = retryLink<AppRouter>({ retry: ({ error }) => (errors.push(error), false) });
    const below: TRPCLink<AppRouter> = () => () => {
      throw new RangeError('odd');
    };
    const bad = openTrpcClient(below, { above: [spy], key: () => 'too short' });
    await expect(bad.client.pay.mutate({ cents: 1 })).rejects.toThrow(
      'Expected an idempotency key',
    );
    const broken = openTrpcClient(below, { above: [spy] });
    await expect(broken.client.pay.mutate({ cents: 1 })).rejects.toThrow();
    expect(errors.map((error) => isTRPCClientError(error))).toEqual([true, true]);
  });

  test('that unsubscribe end the delivery, and the request', async () => {
    const arrived = deferred();
    const closed = deferred();
    await using server = await openTrpcServer({
      faults: [
        (response) => {
          response.on('close', () => closed.resolve());
          arrived.resolve();
        },
      ],
    });
    const impatient: TRPCLink<AppRouter> =
      () =>
      ({ op, next }) =>
        observable((observer) => {
          const subscription = next(op).subscribe({});
          void arrived.promise.then(() => {
            subscription.unsubscribe();
            observer.complete();
          });
        });
    const settled = deferred<unknown>();
    const { client } = openHttpClient(server, 'httpLink', {
      above: [impatient],
      onEvent: (event) => void (event.kind === 'intent-settled' && settled.resolve(event.as)),
    });
    await expect(client.pay.mutate({ cents: 1 })).rejects.toThrow();
    await expect(settled.promise).resolves.toBe('aborted');
    await closed.promise;
    expect(server.requests).toHaveLength(1);
  });

  test('that end without a result are tried again', async () => {
    let calls = 0;
    const below: TRPCLink<AppRouter> = () => () =>
      observable((observer) => {
        if (calls++ > 0) observer.next({ result: { data: 'paid' } });
        observer.complete();
      });
    const { client, failures } = openTrpcClient(below, { transport: 'input' });
    await expect(client.pay.mutate({ cents: 1 })).resolves.toBe('paid');
    expect(failures()).toEqual([{ kind: 'no-answer' }]);
  });
});

/** A link that adds something to the context, as those for tracing do. */
const copying: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) =>
    next({ ...op, context: { ...op.context, trace: 1 } });

/** A client that retries above another link, and that loses the first answers on their way. */
function retried(url: string, between: TRPCLink<AppRouter>, losses: (() => Promise<never>)[]) {
  let fetched = 0;
  const lossy: TrpcFetch = async (input, init) => {
    const response = await fetch(input, init as RequestInit);
    await losses[fetched++]?.();
    return response;
  };
  const again = retryLink<AppRouter>({ retry: ({ attempts }) => attempts < 4 });
  const below = httpLinks.httpLink(url, lossy);
  const { client } = openTrpcClient(below, { maxAttempts: 1, above: [again, between] });
  return { client, fetched: () => fetched };
}

describe('its options', () => {
  test.each([
    ['a transport that does not exist', { transport: 'carrier pigeon' }, /`transport`/],
    ['a key instead of a function', { key: 'a-key-of-the-caller' }, /`key`/],
    ['no attempts', { maxAttempts: 0 }, /`maxAttempts`/],
  ])('%s is refused', (_, options, message) => {
    const make = () => idempotencyLink(options as unknown as IdempotencyLinkOptions);
    expect(make).toThrow(TypeError);
    expect(make).toThrow(message);
  });

  test('a `key` function that throws fails the call, and nothing is sent', async () => {
    await using server = await openTrpcServer();
    const key = () => {
      throw new RangeError('odd');
    };
    const { client } = openHttpClient(server, 'httpLink', { key });
    await expect(client.pay.mutate({ cents: 1 })).rejects.toMatchObject({
      name: 'TRPCClientError',
      cause: { name: 'RangeError' },
    });
    expect(server.requests).toEqual([]);
  });

  test('events name the path and the origin', async () => {
    await using server = await openTrpcServer();
    const { client, events } = openHttpClient(server, 'httpLink', { origin: 'ledger' });
    await client.pay.mutate({ cents: 1 });
    expect(events).toMatchObject([
      { kind: 'attempt-started', operation: 'pay', origin: 'ledger', attempt: 1 },
      { kind: 'intent-settled', as: 'succeeded', keyDelivery: 'delivered' },
    ]);
  });

  test('the origin is empty unless it is given', async () => {
    await using server = await openTrpcServer();
    const { client, events } = openHttpClient(server);
    await client.pay.mutate({ cents: 1 });
    expect(events[0]).toMatchObject({ origin: '' });
  });
});

test('types are those of the router', () => {
  const url = 'http://localhost';
  const client = createTRPCClient<AppRouter>({
    links: [loggerLink(), idempotencyLink(), httpBatchLink({ url, headers: idempotencyHeaders() })],
  });
  createTRPCClient<AppRouter>({
    links: [idempotencyLink<AppRouter>(), httpLink({ url, headers: idempotencyHeaders() })],
  });
  expectTypeOf(client.pay.mutate)
    .parameter(0)
    .toEqualTypeOf<Record<string, unknown> | undefined | void>();
  expectTypeOf<TRPCClientError<AppRouter>['data']>()
    .exclude<null | undefined>()
    .toHaveProperty('idempotency');
  expectTypeOf(deliveryErrorOf).returns.exclude<undefined>().toHaveProperty('reason');
});
