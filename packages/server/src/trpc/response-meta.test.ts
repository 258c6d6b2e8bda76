import { IdempotencyError } from '@onceward/core';
import { TRPCError } from '@trpc/server';
import { describe, expect, test } from 'vitest';
import { openTrpc, serve, type TrpcOptions } from '../../test/trpc-fixture.ts';
import { toTrpcError } from './trpc-error.ts';
import { idempotencyResponseMeta, incomingKeys } from './index.ts';
import type { ResponseFacts } from './response-meta.ts';

const day = 86_400_000;

/** `pay`, `plain` without a guard, and `list`, a query. */
function openPay(options: TrpcOptions = {}) {
  const fixture = openTrpc(options);
  const { t, once, authed } = fixture;
  const guard = once.guard({ effect: 'external' });
  const router = t.router({
    pay: authed.use(guard).mutation(() => 'paid'),
    plain: authed.mutation(() => 'done'),
  });
  return { ...fixture, router, send: serve(router) };
}

describe('Idempotent-Replayed', () => {
  test('is true for a batch whose calls are all replays, and absent otherwise', async () => {
    const { send, newKey } = openPay();
    const [known, alsoKnown] = [newKey(), newKey()];
    await send('pay', { key: known });
    await send('pay', { key: alsoKnown });
    const batches: [path: string, keys: Record<number, string>, replayed: string | null][] = [
      ['pay,pay', { 0: known, 1: alsoKnown }, 'true'],
      ['pay,pay', { 0: known, 1: newKey() }, null],
      ['pay,pay', { 0: newKey(), 1: known }, null],
      ['pay,pay', { 0: newKey(), 1: newKey() }, null],
      ['pay,pay', { 0: known }, null],
      ['pay,plain', { 0: known }, null],
      ['plain,plain', {}, null],
    ];
    for (const [path, keys, replayed] of batches) {
      const { headers } = await send(path, { keys, input: [{}, {}] });
      expect([path, keys, headers.get('idempotent-replayed')]).toEqual([path, keys, replayed]);
    }
  });

  test('is true for a replayed error', async () => {
    const { t, once, authed, newKey } = openTrpc();
    const refuse = authed.use(once.guard({ effect: 'external' })).mutation(() => {
      throw new TRPCError({ code: 'FORBIDDEN' });
    });
    const send = serve(t.router({ refuse }));
    const key = newKey();
    expect((await send('refuse', { key })).headers.has('idempotent-replayed')).toBe(false);
    expect((await send('refuse', { key })).headers.get('idempotent-replayed')).toBe('true');
  });

  test('is absent for a request that nobody guarded', async () => {
    const { send } = openPay();
    const { headers } = await send('plain');
    expect(headers.has('idempotent-replayed')).toBe(false);
    expect(headers.has('idempotency-expires')).toBe(false);
  });
});

describe('Idempotency-Expires', () => {
  test('says until when the answer is kept, the same on every replay', async () => {
    const { send, newKey, clock } = openPay();
    const until = new Date(clock.now() + day).toUTCString();
    const key = newKey();
    expect((await send('pay', { key })).headers.get('idempotency-expires')).toBe(until);
    clock.jump(day / 2);
    expect((await send('pay', { key })).headers.get('idempotency-expires')).toBe(until);
  });

  test('of a batch is the earliest, if all of its calls have one', async () => {
    const { send, newKey, clock } = openPay();
    const key = newKey();
    const until = new Date(clock.now() + day).toUTCString();
    await send('pay', { key });
    clock.jump(day / 2);
    const both = await send('pay,pay', { keys: { 0: newKey(), 1: key }, input: [{}, {}] });
    expect(both.headers.get('idempotency-expires')).toBe(until);
    for (const path of ['pay,plain', 'plain,pay']) {
      const one = await send(path, { keys: { 0: newKey(), 1: newKey() }, input: [{}, {}] });
      expect(one.headers.has('idempotency-expires')).toBe(false);
    }
  });

  test('of an answer that is kept for ever is the last date that HTTP can write', async () => {
    const forever = { answerRetentionMs: Infinity, keyRetentionMs: Infinity };
    const { send, newKey } = openPay(forever);
    const key = newKey();
    for (const { headers } of [await send('pay', { key }), await send('pay', { key })]) {
      expect(headers.get('idempotency-expires')).toBe('Fri, 31 Dec 9999 23:59:59 GMT');
    }
  });

  test('is absent for an answer that is not kept', async () => {
    const { send, newKey } = openPay({ maxAnswerBytes: 1 });
    const { headers } = await send('pay', { key: newKey() });
    expect(headers.has('idempotency-expires')).toBe(false);
  });
});

describe('Retry-After', () => {
  const errorWith = (cause: Error) => new TRPCError({ code: 'CONFLICT', cause });
  const refused = (error: IdempotencyError, path = 'pay') => toTrpcError(error, path) as TRPCError;
  const waiting = (retryAfterMs: number, path?: string) =>
    refused(new IdempotencyError('IDEMPOTENCY_IN_PROGRESS', { retryAfterMs }), path);
  const info = { calls: [{ path: 'pay' }] };
  const retryAfter = (...errors: TRPCError[]) =>
    headersFor({ errors, info, eagerGeneration: false }).get('retry-after');

  test('is in whole seconds, never earlier than was asked for', () => {
    expect(retryAfter(waiting(1))).toBe('1');
    expect(retryAfter(waiting(1_000))).toBe('1');
    expect(retryAfter(waiting(1_001))).toBe('2');
  });

  test('of a batch is the longest', () => {
    expect(retryAfter(waiting(1_000), waiting(30_000), waiting(2_000))).toBe('30');
  });

  test('is absent where nothing is to be waited for', () => {
    expect(retryAfter()).toBeNull();
    expect(retryAfter(errorWith(new Error('no')))).toBeNull();
    const missing = new IdempotencyError('IDEMPOTENCY_KEY_MISSING', { operation: 'pay' });
    expect(retryAfter(refused(missing))).toBeNull();
    expect(retryAfter(waiting(1_000, 'called-by-pay'))).toBeNull();
  });
});

describe('what the application says about the response', () => {
  test('keeps its status and its headers, in either form', async () => {
    const cookies = new Headers({ 'x-app': '1' });
    cookies.append('set-cookie', 'a=1');
    cookies.append('set-cookie', 'b=2');
    const lists = { 'x-app': '1', 'set-cookie': ['a=1', 'b=2'], none: undefined };
    for (const headers of [cookies, lists as never]) {
      const { router, newKey } = openPay();
      const send = serve(router, {
        responseMeta: idempotencyResponseMeta(() => ({ status: 201, headers })),
      });
      const key = newKey();
      for (const replayed of [null, 'true']) {
        const answer = await send('pay', { key });
        expect(answer.status).toBe(201);
        expect(answer.headers.get('x-app')).toBe('1');
        expect(answer.headers.has('none')).toBe(false);
        expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
        expect(answer.headers.get('idempotent-replayed')).toBe(replayed);
      }
    }
  });

  test('is asked with all that tRPC tells, and not changed', () => {
    const own = new Headers({ 'x-app': '1' });
    const asked: unknown[] = [];
    const meta = idempotencyResponseMeta((facts: ResponseFacts & { type: string }) => {
      asked.push(facts);
      return { headers: own };
    });
    const facts = { errors: [], eagerGeneration: false, type: 'mutation' };
    expect(meta(facts).headers).not.toBe(own);
    expect(asked).toEqual([facts]);
    expect([...own.keys()]).toEqual(['x-app']);
  });

  test('is all there is where the head goes out before the calls have run', () => {
    const meta = { status: 200, headers: { 'x-app': '1' } };
    const ctx = { idempotency: incomingKeys() };
    expect(idempotencyResponseMeta(() => meta)({ ctx, errors: [], eagerGeneration: true })).toBe(
      meta,
    );
    expect(idempotencyResponseMeta()({ ctx, errors: [], eagerGeneration: true })).toEqual({});
  });

  test('may be nothing', () => {
    expect(idempotencyResponseMeta()({ errors: [], eagerGeneration: false })).not.toHaveProperty(
      'status',
    );
    for (const ctx of [undefined, {}, { idempotency: 7 }]) {
      expect([...headersFor({ ctx, errors: [], eagerGeneration: false }).keys()]).toEqual([]);
    }
  });
});

function headersFor(facts: ResponseFacts): Headers {
  return new Headers(idempotencyResponseMeta()(facts).headers as Record<string, string>);
}
