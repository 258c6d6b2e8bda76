import { once as onceEvent } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type IdempotencyKey, mintKey } from '@onceward/core';
import { createTRPCClient, unstable_localLink } from '@trpc/client';
import type { AnyTRPCRouter } from '@trpc/server';
import { awsLambdaRequestHandler } from '@trpc/server/adapters/aws-lambda';
import { createExpressMiddleware } from '@trpc/server/adapters/express';
import { fastifyTRPCPlugin } from '@trpc/server/adapters/fastify';
import { createHTTPHandler, createHTTPServer } from '@trpc/server/adapters/standalone';
import { applyWSSHandler } from '@trpc/server/adapters/ws';
import express from 'express';
import fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { deferred } from '../../../../test/support/deferred.ts';
import { answerOf, contextOf, counter, openTrpc, refusal } from '../../test/trpc-fixture.ts';
import { idempotencyResponseMeta, incomingKeys, type KeySource } from './index.ts';

/** `pay`, which tells its key, and `slow`, which waits for the test. */
function openPay() {
  const fixture = openTrpc();
  const { t, once, authed } = fixture;
  const guarded = t.procedure
    .use(once.unwrap)
    .concat(authed)
    .use(once.guard({ effect: 'external' }));
  const run = counter();
  const held: { until?: Promise<void>; aborted?: Promise<unknown> | undefined } = {};
  const router = t.router({
    pay: guarded.mutation(({ ctx }) => `${run()} ${ctx.idempotency.key}`),
    slow: guarded.mutation(async ({ signal }) => {
      run();
      held.aborted = signal && onceEvent(signal, 'abort');
      await held.until;
      return 'done';
    }),
  });
  return { ...fixture, router, run, held };
}

type Fixture = ReturnType<typeof openPay>;

const common = (router: AnyTRPCRouter) => ({
  router,
  createContext: (source: KeySource) => contextOf(source),
  responseMeta: idempotencyResponseMeta(),
});

/** Each starts a server for the router, and gives its address and how to stop it. */
const adapters: [name: string, start: (router: AnyTRPCRouter) => Promise<Started>][] = [
  ['standalone', (router) => listening(createHTTPServer(common(router)))],
  ['node:http', (router) => listening(createServer(createHTTPHandler(common(router))))],
  [
    'express',
    (router) =>
      listening(createServer(express().use('/', createExpressMiddleware(common(router))))),
  ],
  [
    'express behind a body parser',
    (router) => {
      const app = express();
      app.use(express.json());
      return listening(createServer(app.use('/', createExpressMiddleware(common(router)))));
    },
  ],
  ['fastify', startFastify],
];

describe.each(adapters)('through %s', (_, start) => {
  let fixture: Fixture;
  let server: Started;
  beforeAll(async () => {
    fixture = openPay();
    server = await start(fixture.router);
  });
  afterAll(() => server.stop());

  const post = async (path: string, headers: Record<string, string>, body: unknown = {}) =>
    answerOf(
      await fetch(`${server.url}/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-user': 'alice', ...headers },
        body: JSON.stringify(body),
      }),
    );

  test('a key names its call, quoted or not, and a duplicate is a replay', async () => {
    const key = fixture.newKey();
    const first = await post('pay', { 'Idempotency-Key': `"${key}"` });
    const again = await post('pay', { 'idempotency-key': key });
    expect(first.json.result.data).toContain(key);
    expect(again.text).toBe(first.text);
    expect(first.headers.has('idempotent-replayed')).toBe(false);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.headers.get('idempotency-expires')).toMatch(/GMT$/);
  });

  test('keys of a batch go by its index', async () => {
    const [a, b] = [fixture.newKey(), fixture.newKey()];
    const keys = JSON.stringify({ 0: a, 1: b });
    const { json } = await post('pay,pay?batch=1', { 'trpc-idempotency-keys': keys });
    expect(json[0].result.data).toContain(a);
    expect(json[1].result.data).toContain(b);
  });

  test('one key for a batch is refused', async () => {
    const headers = { 'Idempotency-Key': fixture.newKey() };
    const { status, json } = await post('pay,pay?batch=1', headers);
    expect(status).toBe(400);
    expect(json[0].error.data.idempotency.details).toEqual({ problem: 'one-key-for-a-batch' });
  });

  test('two lines of the header are refused, even when they are equal', async () => {
    const key = fixture.newKey();
    const runs = fixture.run.runs();
    for (const lines of [
      [key, key],
      [`"${key}"`, `"${fixture.newKey()}"`],
    ]) {
      expect(await postLines(`${server.url}/pay`, lines)).toMatchObject(
        refusal(400, 'IDEMPOTENCY_KEY_INVALID'),
      );
    }
    expect(fixture.run.runs()).toBe(runs);
  });

  test('a mutation finishes when its client is gone, and a retry gets its answer', async () => {
    const { held, newKey, run } = fixture;
    const bank = deferred();
    held.until = bank.promise;
    const runs = run.runs();
    const headers = { 'content-type': 'application/json', 'x-user': 'alice' };
    const init = {
      method: 'POST',
      headers: { ...headers, 'Idempotency-Key': newKey() },
      body: '{}',
    };
    const client = new AbortController();
    const lost = fetch(`${server.url}/slow`, { ...init, signal: client.signal });
    await expect.poll(run.runs).toBe(runs + 1);
    client.abort();
    await expect(lost).rejects.toThrow();
    await held.aborted;
    const early = await answerOf(await fetch(`${server.url}/slow`, init));
    expect(early).toMatchObject(refusal(409, 'IDEMPOTENCY_IN_PROGRESS'));
    expect(early.headers.get('retry-after')).toBe('1');
    bank.resolve();
    const retry = () => fetch(`${server.url}/slow`, init).then(answerOf);
    await expect.poll(async () => (await retry()).text).toContain('done');
    expect(run.runs()).toBe(runs + 1);
  });
});

describe('through AWS Lambda', () => {
  test.each(['Idempotency-Key', 'idempotency-key', 'IDEMPOTENCY-KEY'])(
    'a key is found under any spelling: %s',
    async (name) => {
      const { router, newKey } = openPay();
      const handler = awsLambdaRequestHandler({
        router,
        createContext: ({ event, info }) => contextOf({ headers: event.headers, info }),
        responseMeta: idempotencyResponseMeta(),
      });
      const key = newKey();
      const event = {
        version: '1.0',
        httpMethod: 'POST',
        path: '/pay',
        headers: { [name]: `"${key}"`, 'content-type': 'application/json', 'x-user': 'alice' },
        queryStringParameters: {},
        requestContext: { resourcePath: '/' },
        body: '{}',
      };
      const call = async () => (await handler(event, {})) as LambdaAnswer;
      const first = await call();
      const again = await call();
      expect(first.body).toContain(key);
      expect(again.body).toBe(first.body);
      expect(again.headers['idempotent-replayed']).toBe('true');
    },
  );

  interface LambdaAnswer {
    readonly body: string;
    readonly headers: Record<string, string>;
  }
});

describe('over a WebSocket', () => {
  let fixture: Fixture;
  let sockets: WebSocketServer;
  beforeAll(() => {
    fixture = openPay();
    sockets = new WebSocketServer({ port: 0 });
    applyWSSHandler({ wss: sockets, ...common(fixture.router) });
  });
  afterAll(() => {
    for (const socket of sockets.clients) socket.terminate();
    sockets.close();
  });

  test('the headers of the handshake name no call', async () => {
    const socket = await connect({ 'Idempotency-Key': fixture.newKey() });
    const runs = fixture.run.runs();
    for (let id = 1; id <= 2; id++) {
      expect(await socket.call(id, {})).toMatchObject({
        error: { data: { idempotency: { code: 'IDEMPOTENCY_KEY_MISSING' } } },
      });
    }
    const keys = JSON.stringify({ 0: fixture.newKey() });
    const other = await connect({ 'trpc-idempotency-keys': keys });
    expect(await other.call(1, {})).toMatchObject({ error: {} });
    expect(fixture.run.runs()).toBe(runs);
  });

  test('a key inside the input names its call, over this socket and the next', async () => {
    const key = fixture.newKey();
    const runs = fixture.run.runs();
    const input = { $idempotency: key, input: { cents: 1 } };
    const first = await (await connect()).call(1, input);
    const again = await (await connect()).call(1, input);
    expect(first).toMatchObject({ result: { data: expect.stringContaining(key) as string } });
    expect(again).toEqual(first);
    expect(fixture.run.runs()).toBe(runs + 1);
  });

  test('calls of one frame keep their own keys', async () => {
    const socket = await connect();
    const keys = [fixture.newKey(), fixture.newKey()];
    const calls = keys.map((key, id) => ({ id, input: { $idempotency: key } }));
    const answers = await socket.callAll(calls);
    for (const [id, key] of keys.entries()) {
      expect(answers.get(id)).toMatchObject({
        result: { data: expect.stringContaining(key) as string },
      });
    }
  });

  test('a refusal carries in its error when to come back', async () => {
    const { held, newKey, run } = fixture;
    const bank = deferred();
    held.until = bank.promise;
    const runs = run.runs();
    const input = { $idempotency: newKey() };
    const socket = await connect();
    const running = socket.call(1, input, 'slow');
    await expect.poll(run.runs).toBe(runs + 1);
    expect(await socket.call(2, input, 'slow')).toMatchObject({
      error: {
        data: {
          httpStatus: 409,
          idempotency: { code: 'IDEMPOTENCY_IN_PROGRESS', details: { retryAfterMs: 1_000 } },
        },
      },
    });
    bank.resolve();
    expect(await running).toMatchObject({ result: { data: 'done' } });
  });

  async function connect(headers: Record<string, string> = {}) {
    const { port } = sockets.address() as AddressInfo;
    const all = { 'x-user': 'alice', ...headers };
    const socket = new WebSocket(`ws://localhost:${port}`, { headers: all });
    await onceEvent(socket, 'open');
    const waiting = new Map<number, (answer: unknown) => void>();
    socket.on('message', (data: Buffer) => {
      const answer = JSON.parse(data.toString()) as { id: number };
      waiting.get(answer.id)?.({ ...answer, id: undefined });
    });
    const callAll = async (calls: { id: number; input: unknown }[], path = 'pay') => {
      const answers = calls.map(
        ({ id }) =>
          new Promise<[number, unknown]>((resolve) => {
            waiting.set(id, (answer) => resolve([id, answer]));
          }),
      );
      const messages = calls.map(({ id, input }) => ({
        id,
        method: 'mutation',
        params: { path, input },
      }));
      socket.send(JSON.stringify(messages));
      return new Map(await Promise.all(answers));
    };
    const call = async (id: number, input: unknown, path?: string) =>
      (await callAll([{ id, input }], path)).get(id);
    return { call, callAll };
  }
});

describe('over a link without a network', () => {
  test('a key inside the input names its call', async () => {
    const { router, newKey, run } = openPay();
    const client = createTRPCClient<typeof router>({
      links: [
        unstable_localLink({
          router,
          createContext: async () => ({ user: { id: 'alice' }, idempotency: incomingKeys() }),
        }),
      ],
    });
    const pay = (key: IdempotencyKey) => client.pay.mutate({ $idempotency: key } as never);
    const key = newKey();
    expect(await pay(key)).toContain(key);
    expect(await pay(key)).toContain(key);
    expect(run.runs()).toBe(1);
    await expect(client.pay.mutate()).rejects.toMatchObject({
      data: { idempotency: { code: 'IDEMPOTENCY_KEY_MISSING' } },
    });
  });
});

describe('the size of a batch', () => {
  test('is bound by the headers: 300 keys fit into what Node.js accepts, 400 do not', async () => {
    const { router } = openPay();
    const server = await listening(createHTTPServer(common(router)));
    const send = (count: number) => {
      const keys = Object.fromEntries(
        Array.from({ length: count }, (_, index) => [index, mintKey()]),
      );
      const headers = { 'trpc-idempotency-keys': JSON.stringify(keys) };
      return fetch(`${server.url}/pay`, { method: 'POST', headers });
    };
    expect((await send(300)).status).not.toBe(431);
    expect((await send(400)).status).toBe(431);
    await server.stop();
  });
});

interface Started {
  readonly url: string;
  stop(): Promise<unknown>;
}

async function listening(server: Server): Promise<Started> {
  server.listen(0);
  await onceEvent(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const stop = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://localhost:${port}`, stop };
}

async function startFastify(router: AnyTRPCRouter): Promise<Started> {
  const app = fastify({ forceCloseConnections: true });
  await app.register(fastifyTRPCPlugin, { prefix: '', trpcOptions: common(router) });
  return { url: await app.listen({ port: 0 }), stop: () => app.close() };
}

/** `fetch` would join the lines before they are sent. */
async function postLines(url: string, lines: string[]) {
  const headers = { 'content-type': 'application/json', 'x-user': 'alice' };
  const sent = request(url, { method: 'POST', headers: { ...headers, 'Idempotency-Key': lines } });
  sent.end('{}');
  const [response] = (await onceEvent(sent, 'response')) as [
    AsyncIterable<Buffer> & { statusCode: number },
  ];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return {
    status: response.statusCode,
    json: JSON.parse(Buffer.concat(chunks).toString()) as unknown,
  };
}
