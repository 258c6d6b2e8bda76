import type { IdempotencyKey } from '@onceward/core';
import { createTRPCClient, httpBatchStreamLink, httpLink, TRPCClientError } from '@trpc/client';
import { describe, expect, test } from 'vitest';
import { counter, handlerOf, headersOf, openTrpc, serve } from '../../test/trpc-fixture.ts';

/** Mutations whose answers come in pieces, behind the links that can and cannot carry them. */
function openStreaming() {
  const fixture = openTrpc();
  const { t, once, authed } = fixture;
  const guard = once.guard({ effect: 'external' });
  const run = counter();
  const router = t.router({
    generate: authed.use(guard).mutation(() => {
      run();
      return oneAndTwo();
    }),
    defer: authed.use(guard).mutation(() => ({ run: run(), later: Promise.resolve('later') })),
    fail: authed.use(guard).mutation(async function* () {
      run();
      yield await Promise.resolve('one');
      throw new Error('connection reset');
    }),
    pay: authed.use(guard).mutation(() => ({ run: run(), at: 'once' })),
  });
  const common = (key: IdempotencyKey | undefined) => ({
    url: 'http://localhost',
    fetch: handlerOf(router),
    headers: headersOf(key ? { key } : {}),
  });
  const streamingClient = (key?: IdempotencyKey) =>
    createTRPCClient<typeof router>({ links: [httpBatchStreamLink(common(key))] });
  const plainClient = (key?: IdempotencyKey) =>
    createTRPCClient<typeof router>({ links: [httpLink(common(key))] });
  return { ...fixture, router, run, streamingClient, plainClient };
}

const streamed = {
  data: {
    httpStatus: 410,
    idempotency: { code: 'IDEMPOTENCY_RESPONSE_UNAVAILABLE', details: { reason: 'streamed' } },
  },
};

describe('an answer that comes in pieces', () => {
  test('reaches its caller piece by piece, once; duplicates get 410', async () => {
    const { streamingClient, newKey, run } = openStreaming();
    const key = newKey();
    expect(await all(await streamingClient(key).generate.mutate())).toEqual(['one', 'two']);
    await expect(streamingClient(key).generate.mutate()).rejects.toMatchObject(streamed);
    expect(run.runs()).toBe(1);
  });

  test('may have members that come later', async () => {
    const { streamingClient, newKey, run } = openStreaming();
    const key = newKey();
    const { run: first, later } = await streamingClient(key).defer.mutate();
    expect([first, await later]).toEqual([1, 'later']);
    await expect(streamingClient(key).defer.mutate()).rejects.toMatchObject(streamed);
    expect(run.runs()).toBe(1);
  });

  test('that breaks off is not run again', async () => {
    const { streamingClient, newKey, run } = openStreaming();
    const key = newKey();
    await expect(all(await streamingClient(key).fail.mutate())).rejects.toThrow(TRPCClientError);
    await expect(streamingClient(key).fail.mutate()).rejects.toMatchObject(streamed);
    expect(run.runs()).toBe(1);
  });

  test.each(['generate', 'defer'] as const)(
    'through a link that cannot carry it fails after it ran, and is not run again: %s',
    async (path) => {
      const { plainClient, newKey, run } = openStreaming();
      const key = newKey();
      await expect(plainClient(key)[path].mutate()).rejects.toMatchObject({
        data: { code: 'UNSUPPORTED_MEDIA_TYPE', idempotency: null },
      });
      await expect(plainClient(key)[path].mutate()).rejects.toMatchObject(streamed);
      expect(run.runs()).toBe(1);
    },
  );
});

describe('over a link that streams', () => {
  test('an answer in one piece is replayed, and its head says nothing about it', async () => {
    const { router, newKey, run } = openStreaming();
    const send = serve(router);
    const sent = { key: newKey(), headers: { 'trpc-accept': 'application/jsonl' } };
    const first = await send('pay?batch=1', sent);
    const again = await send('pay?batch=1', sent);
    expect(first.text).toContain('"at":"once"');
    expect(again.text).toBe(first.text);
    for (const { status, headers } of [first, again]) {
      expect(status).toBe(200);
      expect(headers.has('idempotent-replayed')).toBe(false);
      expect(headers.has('idempotency-expires')).toBe(false);
    }
    expect(run.runs()).toBe(1);
  });

  test('a refusal carries in its error what its head could not', async () => {
    const { streamingClient, newKey, line, run } = openStreaming();
    line.fail('reserve', 'lost-request');
    await expect(streamingClient(newKey()).pay.mutate()).rejects.toMatchObject({
      data: {
        httpStatus: 503,
        idempotency: { code: 'IDEMPOTENCY_STORE_UNAVAILABLE', details: { retryAfterMs: 1_000 } },
      },
    });
    await expect(streamingClient().pay.mutate()).rejects.toMatchObject({
      data: { idempotency: { code: 'IDEMPOTENCY_KEY_MISSING' } },
    });
    expect(run.runs()).toBe(0);
  });

  test('calls of one batch keep their own keys', async () => {
    const { router, newKey, run } = openStreaming();
    const send = serve(router);
    const keys = { 0: newKey(), 1: newKey() };
    const sent = { keys, input: [{}, {}], headers: { 'trpc-accept': 'application/jsonl' } };
    const first = await send('pay,pay', sent);
    const again = await send('pay,pay', sent);
    expect(new Set(lines(again.text))).toEqual(new Set(lines(first.text)));
    expect(run.runs()).toBe(2);
  });
});

async function* oneAndTwo(): AsyncGenerator<string> {
  yield await Promise.resolve('one');
  yield 'two';
}

async function all<T>(pieces: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const piece of pieces) list.push(piece);
  return list;
}

/** What settles first is sent first: the order of the pieces is no promise. */
function lines(text: string): string[] {
  return text.split('\n').map((line) => line.replace(/^\[\d+,/, '['));
}
