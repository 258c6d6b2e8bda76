import type { IdempotencyKey } from '@onceward/core';
import { createTRPCClient, httpLink } from '@trpc/client';
import superjson from 'superjson';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  counter,
  handlerOf,
  headersOf,
  openTrpc,
  refusal,
  serve,
  type TrpcOptions,
} from '../../test/trpc-fixture.ts';

describe('a form', () => {
  function openUpload(options: TrpcOptions = {}) {
    const fixture = openTrpc(options);
    const { t, once, authed } = fixture;
    const run = counter();
    const upload = authed
      .input(z.instanceof(FormData))
      .use(once.guard({ effect: 'external' }))
      .mutation(async ({ input }) => {
        run();
        return await (input.get('file') as File).text();
      });
    return { ...fixture, run, send: serve(t.router({ upload })) };
  }

  test.each<[what: string, options: TrpcOptions]>([
    ['without a transformer', {}],
    ['under superjson', { transformer: superjson }],
  ])('is compared by the content of its files %s', async (_, options) => {
    const { send, newKey, run } = openUpload(options);
    const key = newKey();
    const first = await send('upload', { key, body: formWith('one') });
    expect(first.text).toContain('one');
    // Another boundary, the same content.
    const again = await send('upload', { key, body: formWith('one') });
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const other = await send('upload', { key, body: formWith('two') });
    expect(other.status).toBe(422);
    expect(run.runs()).toBe(1);
  });

  test('is compared by its other fields, and by the names of its files', async () => {
    const { send, newKey } = openUpload();
    const key = newKey();
    await send('upload', { key, body: formWith('one') });
    for (const body of [
      formWith('one', { note: 'another' }),
      formWith('one', { name: 'b.txt' }),
      new FormData(),
    ]) {
      expect((await send('upload', { key, body })).status).not.toBe(200);
    }
  });

  function formWith(text: string, { name = 'a.txt', note = 'a note' } = {}): FormData {
    const form = new FormData();
    form.set('note', note);
    form.set('file', new File([text], name, { type: 'text/plain' }));
    return form;
  }
});

describe('a stream of bytes', () => {
  const headers = { 'content-type': 'application/octet-stream' };

  function openUpload(select?: (input: unknown) => unknown) {
    const fixture = openTrpc();
    const { t, once, authed } = fixture;
    const run = counter();
    const upload = authed
      .input(z.instanceof(ReadableStream))
      .use(once.guard({ effect: 'external', ...(select && { select }) }))
      .mutation(async ({ input }) => {
        run();
        return await new Response(input).text();
      });
    return { ...fixture, run, send: serve(t.router({ upload })) };
  }

  test('has no fingerprint, and is refused with what to do about it', async () => {
    const { send, newKey, run } = openUpload();
    const answer = await send('upload', { key: newKey(), headers, body: 'bytes' });
    expect(answer).toMatchObject(refusal(400, 'IDEMPOTENCY_INPUT_INVALID'));
    expect(answer.json.error.message).toMatch(/FormData.*`select`/);
    expect(run.runs()).toBe(0);
  });

  test('is left to the handler, whole, where `select` names something else', async () => {
    const { send, newKey, run } = openUpload(() => 'avatar');
    const key = newKey();
    const first = await send('upload', { key, headers, body: 'bytes' });
    expect(first.json.result.data).toBe('bytes');
    const again = await send('upload', { key, headers, body: 'bytes' });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(run.runs()).toBe(1);
  });
});

describe('no input', () => {
  /** `stop` without a parser, and `save` with one, behind the link that sends no body. */
  function openStop() {
    const fixture = openTrpc();
    const { t, once, authed } = fixture;
    const guarded = t.procedure
      .use(once.unwrap)
      .concat(authed)
      .use(once.guard({ effect: 'external' }));
    const run = counter();
    const router = t.router({
      stop: guarded.mutation(() => run()),
      save: guarded.input(z.object({ text: z.string() })).mutation(() => run()),
    });
    const client = (key: IdempotencyKey) =>
      createTRPCClient<typeof router>({
        links: [
          httpLink({
            url: 'http://localhost',
            fetch: handlerOf(router),
            headers: headersOf({ key }),
          }),
        ],
      });
    return { ...fixture, run, client, send: serve(router) };
  }

  test('is what a body that was not sent is, where there is no parser', async () => {
    const { client, newKey, run } = openStop();
    const key = newKey();
    expect(await client(key).stop.mutate()).toBe(1);
    expect(await client(key).stop.mutate()).toBe(1);
    expect(run.runs()).toBe(1);
  });

  test('is the same intent through a link that batches', async () => {
    const { client, send, newKey } = openStop();
    const key = newKey();
    await client(key).stop.mutate();
    const batched = await send('stop?batch=1', { key, input: {} });
    expect(batched.headers.get('idempotent-replayed')).toBe('true');
  });

  test('where there is a parser is refused by tRPC, and takes no key', async () => {
    const { client, newKey, run } = openStop();
    const key = newKey();
    await expect(client(key).save.mutate(undefined as never)).rejects.toMatchObject({
      data: { code: 'BAD_REQUEST', idempotency: null },
    });
    expect(await client(key).save.mutate({ text: 'a' })).toBe(1);
    expect(run.runs()).toBe(1);
  });
});

describe('an input', () => {
  /** `pay`, which takes anything. */
  function openPay(options: TrpcOptions = {}) {
    const fixture = openTrpc(options);
    const { t, once, authed } = fixture;
    const run = counter();
    const guard = once.guard({ effect: 'external' });
    return {
      ...fixture,
      run,
      send: serve(t.router({ pay: authed.use(guard).mutation(() => run()) })),
    };
  }

  test('is compared as it was sent, before its parser filled it in', async () => {
    const { t, once, authed, newKey } = openTrpc();
    const run = counter();
    let currency = 'EUR';
    const pay = authed
      .input(z.object({ cents: z.number(), currency: z.string().default(() => currency) }))
      .use(once.guard({ effect: 'external' }))
      .mutation(({ input }) => [run(), input.currency]);
    const send = serve(t.router({ pay }));
    const key = newKey();
    const first = await send('pay', { key, input: { cents: 1 } });
    currency = 'CHF';
    expect((await send('pay', { key, input: { cents: 1 } })).text).toBe(first.text);
    expect(run.runs()).toBe(1);
  });

  test('may have its members in another order', async () => {
    const { send, newKey, run } = openPay();
    const key = newKey();
    await send('pay', { key, input: { a: 1, b: 2 } });
    expect(await send('pay', { key, input: { b: 2, a: 1 } })).toMatchObject({ status: 200 });
    expect(run.runs()).toBe(1);
  });

  test.each<[what: string, one: unknown, other: unknown]>([
    ['two dates', new Date(1), new Date(2)],
    ['a date and its text', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['two maps', new Map([[1, 2]]), new Map([[1, 3]])],
    ['a set and a list', new Set([1]), [1]],
    ['undefined and null', { a: undefined }, { a: null }],
    ['a BigInt and a number', 1n, 1],
  ])('under superjson tells apart %s', async (_, one, other) => {
    const { send, newKey, run } = openPay({ transformer: superjson });
    const key = newKey();
    await send('pay', { key, input: superjson.serialize(one) });
    const same = await send('pay', { key, input: superjson.serialize(one) });
    expect(same.headers.get('idempotent-replayed')).toBe('true');
    const different = await send('pay', { key, input: superjson.serialize(other) });
    expect(different.status).toBe(422);
    expect(run.runs()).toBe(1);
  });

  test('that no fingerprint can tell from another one is refused', async () => {
    const { send, newKey, run } = openPay();
    const answer = await send('pay', {
      key: newKey(),
      headers: { 'content-type': 'application/json' },
      body: '{"cents":10000000000000000999}',
    });
    expect(answer).toMatchObject(
      refusal(400, 'IDEMPOTENCY_INPUT_INVALID', { problem: 'unsafe-integer' }),
    );
    expect(run.runs()).toBe(0);
  });
});
