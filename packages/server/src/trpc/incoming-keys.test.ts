import { mintKey } from '@onceward/core';
import { describe, expect, test } from 'vitest';
import { counter, openTrpc, refusal, serve } from '../../test/trpc-fixture.ts';
import { callerKey, incomingKeys, type KeySource } from './index.ts';
import type { KeySyntax } from '../incoming/read-key.ts';

const syntax: KeySyntax = { syntax: 'lenient', format: 'uuid-v7' };

/** A request with one call, and the reader that tRPC would hand to its procedure. */
function requestWith(source: Omit<KeySource, 'info'>) {
  const getRawInput = async () => ({});
  return { keys: incomingKeys({ ...source, info: { calls: [{ getRawInput }] } }), getRawInput };
}

describe('the keys of a request', () => {
  const key = mintKey();

  test('come from the headers of `req`, or from `headers`', () => {
    const headers = { 'idempotency-key': key };
    for (const source of [{ req: { headers } }, { headers }, { headers: new Headers(headers) }]) {
      const { keys, getRawInput } = requestWith(source);
      expect(keys.keyOf(getRawInput, syntax)).toBe(key);
    }
  });

  test('are given to the calls that they came with, however often these ask', () => {
    const { keys, getRawInput } = requestWith({ headers: { 'idempotency-key': key } });
    expect(keys.keyOf(getRawInput, syntax)).toBe(key);
    expect(keys.keyOf(getRawInput, syntax)).toBe(key);
    expect(keys.keyOf(async () => ({}), syntax)).toBeUndefined();
  });

  test('are none where there are no headers, or no calls, as on a WebSocket', () => {
    const getRawInput = async () => ({});
    const headers = { 'idempotency-key': key };
    for (const source of [{}, { headers, info: { calls: [] } }]) {
      expect(incomingKeys(source).keyOf(getRawInput, syntax)).toBeUndefined();
    }
    expect(incomingKeys().keyOf(getRawInput, syntax)).toBeUndefined();
    const { keys, getRawInput: ofCall } = requestWith({});
    expect(keys.keyOf(ofCall, syntax)).toBeUndefined();
  });

  test('need to know the calls that they are for', () => {
    const headers = { 'idempotency-key': key };
    expect(() => incomingKeys({ req: { headers } })).toThrow(/`info`/);
    expect(() => incomingKeys({ headers })).toThrow(/`info`/);
  });

  test('are not shown to whoever logs the context', () => {
    const { keys } = requestWith({ headers: { 'idempotency-key': key } });
    expect(JSON.stringify(keys)).toBe('{}');
  });

  test.each([
    ['a batch with one key for all', 'one-key-for-a-batch', { key: true, keys: undefined }],
    ['a batch whose keys are no JSON', 'malformed', { key: false, keys: '[1]' }],
  ])('that nobody can tell apart refuse every call: %s', async (_, problem, sent) => {
    const { t, once, authed } = openTrpc();
    const charge = counter();
    const guard = once.guard({ effect: 'external' });
    const send = serve(t.router({ pay: authed.use(guard).mutation(() => charge()) }));
    const { status, json } = await send('pay,pay', {
      ...(sent.key && { key }),
      headers: sent.keys ? { 'trpc-idempotency-keys': sent.keys } : {},
      input: [{}, {}],
    });
    expect(status).toBe(400);
    for (const { error } of json) {
      expect(error.data.idempotency).toMatchObject({
        code: 'IDEMPOTENCY_KEY_INVALID',
        details: { problem },
      });
    }
    expect(charge.runs()).toBe(0);
  });

  test('refuse only the calls of a batch that lack one', async () => {
    const { t, once, authed, newKey } = openTrpc();
    const charge = counter();
    const guard = once.guard({ effect: 'external' });
    const send = serve(t.router({ pay: authed.use(guard).mutation(() => charge()) }));
    const { status, json } = await send('pay,pay,pay', {
      keys: { 0: newKey(), 2: newKey() },
      input: [{}, {}, {}],
    });
    expect(status).toBe(207);
    expect(json.map((each: object) => 'result' in each)).toEqual([true, false, true]);
    expect(json[1].error.data.idempotency.code).toBe('IDEMPOTENCY_KEY_MISSING');
    expect(charge.runs()).toBe(2);
  });

  test('in a batch of one come in either header', async () => {
    const { t, once, authed, newKey } = openTrpc();
    const guard = once.guard({ effect: 'external' });
    const router = t.router({ pay: authed.use(guard).mutation(({ ctx }) => ctx.idempotency.key) });
    const send = serve(router);
    const first = newKey();
    const second = newKey();
    expect((await send('pay?batch=1', { key: first })).json[0].result.data).toBe(first);
    const { json } = await send('pay?batch=1', { keys: { 0: second } });
    expect(json[0].result.data).toBe(second);
  });

  test('may be opaque where the application says so, wherever they come from', async () => {
    const { t, once, authed } = openTrpc({ keyFormat: 'opaque', keyRetentionMs: Infinity });
    const guarded = t.procedure
      .use(once.unwrap)
      .concat(authed)
      .use(once.guard({ effect: 'external' }));
    const router = t.router({ pay: guarded.mutation(({ ctx }) => ctx.idempotency.key) });
    const send = serve(router);
    const opaque = (name: string) => `order-0123456789-${name}`;
    const sent = [
      await send('pay', { headers: { 'idempotency-key': opaque('header') } }),
      await send('pay', { keys: { 0: opaque('batch') } }),
      await send('pay', { input: { $idempotency: opaque('input') } }),
    ];
    expect(sent.map(({ json }) => json.result.data)).toEqual(
      ['header', 'batch', 'input'].map(opaque),
    );
    const context = { user: { id: 'alice' }, idempotency: callerKey(opaque('caller')) };
    expect(await router.createCaller(context).pay()).toBe(opaque('caller'));
  });

  test('must be quoted where the application is strict', async () => {
    const { t, once, authed, newKey } = openTrpc({ keyHeader: 'strict' });
    const guard = once.guard({ effect: 'external' });
    const send = serve(t.router({ pay: authed.use(guard).mutation(() => 'paid') }));
    const bare = newKey();
    expect(await send('pay', { headers: { 'idempotency-key': bare } })).toMatchObject(
      refusal(400, 'IDEMPOTENCY_KEY_INVALID', { problem: 'malformed' }),
    );
    expect(await send('pay', { key: bare })).toMatchObject({ status: 200 });
    // Keys inside JSON have quotes of their own.
    expect(await send('pay', { keys: { 0: newKey() } })).toMatchObject({ status: 200 });
  });
});

describe('the key of a caller', () => {
  function openPay() {
    const fixture = openTrpc();
    const { t, once, authed } = fixture;
    const charge = counter();
    const guard = once.guard({ effect: 'external' });
    const pay = authed.use(guard).mutation(() => charge());
    const router = t.router({ pay, list: authed.query(() => []) });
    const call = (key: string) =>
      router.createCaller({ user: { id: 'alice' }, idempotency: callerKey(key) });
    return { ...fixture, charge, router, call };
  }

  test('names one call: a second caller with it gets the answer of the first', async () => {
    const { call, newKey, charge } = openPay();
    const key = newKey();
    expect(await call(key).pay()).toBe(1);
    expect(await call(key).pay()).toBe(1);
    expect(charge.runs()).toBe(1);
  });

  test('is given out once: a second call of the same caller has none', async () => {
    const { call, newKey, charge } = openPay();
    const caller = call(newKey());
    await caller.list();
    await caller.pay();
    await expect(caller.pay()).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      cause: { code: 'IDEMPOTENCY_KEY_MISSING' },
    });
    expect(charge.runs()).toBe(1);
  });

  test.each(['pay-1', '', crypto.randomUUID()])('must be a key, and not %j', async (text) => {
    const { call, charge } = openPay();
    await expect(call(text).pay()).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      cause: { code: 'IDEMPOTENCY_KEY_INVALID', details: { problem: 'not-uuid-v7' } },
    });
    expect(charge.runs()).toBe(0);
  });

  test('is missing without one', async () => {
    const { router } = openPay();
    const context = { user: { id: 'alice' }, idempotency: incomingKeys() };
    await expect(router.createCaller(context).pay()).rejects.toMatchObject({
      cause: { code: 'IDEMPOTENCY_KEY_MISSING' },
    });
  });
});
