import { TRPCError } from '@trpc/server';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { deferred } from '../../../../test/support/deferred.ts';
import { memoryStore } from '../index.ts';
import { counter, openTrpc, refusal, serve } from '../../test/trpc-fixture.ts';
import { createIdempotency, incomingKeys } from './index.ts';

const input = { cents: 100 };

/** `pay`, which counts its runs, behind a guard. */
function openPay() {
  const fixture = openTrpc();
  const charge = counter();
  const pay = fixture.authed
    .input(z.object({ cents: z.number() }))
    .use(fixture.once.guard({ effect: 'external' }))
    .mutation(({ input: { cents } }) => ({ receipt: charge(), cents }));
  return { ...fixture, charge, send: serve(fixture.t.router({ pay })) };
}

describe('a guarded mutation', () => {
  test('runs once per key; a duplicate gets the same bytes, marked as a replay', async () => {
    const { send, newKey, charge } = openPay();
    const key = newKey();
    const first = await send('pay', { key, input });
    const second = await send('pay', { key, input });
    expect(first).toMatchObject({ status: 200, json: { result: { data: { receipt: 1 } } } });
    expect(second).toMatchObject({ status: 200, text: first.text });
    expect(first.headers.has('idempotent-replayed')).toBe(false);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(charge.runs()).toBe(1);
  });

  test('runs again under another key', async () => {
    const { send, newKey, charge } = openPay();
    await send('pay', { key: newKey(), input });
    await send('pay', { key: newKey(), input });
    expect(charge.runs()).toBe(2);
  });

  test('that is sent twice in one batch under one key runs once', async () => {
    const { send, newKey, charge } = openPay();
    const key = newKey();
    const { json } = await send('pay,pay', { keys: { 0: key, 1: key }, input: [input, input] });
    expect(charge.runs()).toBe(1);
    expect(json[0]).toMatchObject({ result: { data: { receipt: 1 } } });
    expect(json[1].error.data.idempotency.code).toBe('IDEMPOTENCY_IN_PROGRESS');
  });

  test('gets its key, its attempt and a signal in ctx.idempotency', async () => {
    const { t, once, authed, newKey } = openTrpc();
    const key = newKey();
    const send = serve(
      t.router({
        pay: authed.use(once.guard({ effect: 'external' })).mutation(({ ctx: { idempotency } }) => {
          expect(idempotency.signal.aborted).toBe(false);
          return [idempotency.key, idempotency.attempt];
        }),
      }),
    );
    expect((await send('pay', { key })).json.result.data).toEqual([key, 1]);
  });

  test('keeps what the middlewares before and after it add to the context', async () => {
    const { t, once, authed, newKey } = openTrpc();
    const send = serve(
      t.router({
        pay: authed
          .use(({ next }) => next({ ctx: { before: 1 } }))
          .use(once.guard({ effect: 'external' }))
          .use(({ next }) => next({ ctx: { after: 2 } }))
          .mutation(({ ctx }) => [ctx.user.id, ctx.before, ctx.after]),
      }),
    );
    expect((await send('pay', { key: newKey() })).json.result.data).toEqual(['alice', 1, 2]);
  });

  test('with steps does not repeat those that an earlier attempt finished', async () => {
    const { t, once, authed, newKey } = openTrpc();
    const seat = counter();
    const send = serve(
      t.router({
        book: authed
          .use(once.guard({ effect: 'steps' }))
          .mutation(async ({ ctx: { idempotency } }) => {
            const number = await idempotency.step('seat', () => seat());
            if (idempotency.attempt === 1) throw new Error('connection reset');
            return number;
          }),
      }),
    );
    const key = newKey();
    expect(await send('book', { key })).toMatchObject({ status: 500 });
    expect((await send('book', { key })).json.result.data).toBe(1);
    expect(seat.runs()).toBe(1);
  });

  test('whose key is not required runs unprotected without one, and once with one', async () => {
    const { t, once, authed, newKey } = openTrpc();
    const charge = counter();
    const guard = once.guard({ effect: 'external', required: false });
    const send = serve(t.router({ pay: authed.use(guard).mutation(() => charge()) }));
    await send('pay');
    await send('pay');
    expect(charge.runs()).toBe(2);
    const key = newKey();
    await send('pay', { key });
    await send('pay', { key });
    expect(charge.runs()).toBe(3);
  });

  test('refuses a key that is none, also where it needs none', async () => {
    const { t, once, authed } = openTrpc();
    const charge = counter();
    const guard = once.guard({ effect: 'external', required: false });
    const send = serve(t.router({ pay: authed.use(guard).mutation(() => charge()) }));
    expect(await send('pay', { headers: { 'idempotency-key': 'pay-1' } })).toMatchObject(
      refusal(400, 'IDEMPOTENCY_KEY_INVALID'),
    );
    expect(charge.runs()).toBe(0);
  });

  test('lets a duplicate wait for the answer, where that is asked for', async () => {
    const { t, once, authed, newKey, clock } = openTrpc();
    const charge = counter();
    const bank = deferred();
    const guard = once.guard({ effect: 'external', inProgress: 'wait' });
    const pay = authed.use(guard).mutation(async () => {
      charge();
      await bank.promise;
      return 'paid';
    });
    const send = serve(t.router({ pay }));
    const key = newKey();
    const both = [send('pay', { key }), send('pay', { key })];
    await expect.poll(charge.runs).toBe(1);
    bank.resolve();
    await both[0];
    await clock.advance(1_000);
    for (const answer of await Promise.all(both)) expect(answer.json.result.data).toBe('paid');
    expect(charge.runs()).toBe(1);
  });

  test('is compared by what `select` names', async () => {
    const { t, once, authed, newKey } = openTrpc();
    const charge = counter();
    const select = (sent: unknown) => (sent as { cents: number }).cents;
    const guard = once.guard({ effect: 'external', select });
    const send = serve(t.router({ pay: authed.use(guard).mutation(() => charge()) }));
    const key = newKey();
    await send('pay', { key, input: { cents: 1, sentAt: 1 } });
    const again = await send('pay', { key, input: { cents: 1, sentAt: 2 } });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await send('pay', { key, input: { cents: 2, sentAt: 1 } })).toMatchObject(
      refusal(422, 'IDEMPOTENCY_KEY_REUSED'),
    );
    expect(charge.runs()).toBe(1);
  });

  test('takes no key when its input is not valid, for the guard comes after `.input()`', async () => {
    const { send, newKey, charge } = openPay();
    const key = newKey();
    const invalid = await send('pay', { key, input: { cents: 'many' } });
    expect(invalid).toMatchObject({
      status: 400,
      json: { error: { data: { idempotency: null } } },
    });
    expect(await send('pay', { key, input })).toMatchObject({ status: 200 });
    expect(charge.runs()).toBe(1);
  });

  test('takes no key when its body is not JSON', async () => {
    const { send, newKey, charge } = openPay();
    const key = newKey();
    const headers = { 'content-type': 'application/json' };
    expect(await send('pay', { key, body: '{', headers })).toMatchObject({ status: 400 });
    expect(await send('pay', { key, input })).toMatchObject({ status: 200 });
    expect(charge.runs()).toBe(1);
  });

  test('finishes when its client is gone, and a retry gets its answer', async () => {
    const { t, once, authed, newKey } = openTrpc();
    const charge = counter();
    const gone = new AbortController();
    const send = serve(
      t.router({
        pay: authed.use(once.guard({ effect: 'external' })).mutation(async ({ signal, ctx }) => {
          gone.abort();
          expect(signal?.aborted).toBe(true);
          expect(ctx.idempotency.signal.aborted).toBe(false);
          await Promise.resolve();
          return charge();
        }),
      }),
    );
    const key = newKey();
    await send('pay', { key, signal: gone.signal });
    const retry = await send('pay', { key });
    expect(retry.headers.get('idempotent-replayed')).toBe('true');
    expect(retry.json.result.data).toBe(1);
    expect(charge.runs()).toBe(1);
  });
});

describe('the scope of a key', () => {
  test('keeps two users with the same key apart', async () => {
    const { send, newKey, charge } = openPay();
    const key = newKey();
    const alice = await send('pay', { key, input, user: 'alice' });
    const bob = await send('pay', { key, input, user: 'bob' });
    expect([alice, bob].map(({ json }) => json.result.data.receipt)).toEqual([1, 2]);
    expect(bob.headers.has('idempotent-replayed')).toBe(false);
    expect(charge.runs()).toBe(2);
  });

  test('is asked with the context after authentication, and with the path', async () => {
    const { t, authed, newKey } = openTrpc();
    const asked: unknown[] = [];
    const once = createIdempotency(t, {
      store: memoryStore(),
      acceptLoss: true,
      scope: (ctx: { user: { id: string } }, call) => {
        asked.push([ctx.user.id, call]);
        return [ctx.user.id, call.path];
      },
    });
    const pay = authed.use(once.guard({ effect: 'external' })).mutation(() => 'paid');
    const send = serve(t.router({ bills: { pay }, orders: { pay } }));
    const key = newKey();
    await send('bills.pay', { key });
    // With the path as a part of it, each operation has keys of its own.
    expect(await send('orders.pay', { key })).toMatchObject({ status: 200 });
    expect(asked).toEqual([
      ['alice', { path: 'bills.pay' }],
      ['alice', { path: 'orders.pay' }],
    ]);
  });

  test('that names nobody refuses the call', async () => {
    const { t, authed, newKey } = openTrpc();
    const options = { store: memoryStore(), acceptLoss: true };
    const once = createIdempotency(t, { ...options, scope: () => '' });
    const charge = counter();
    const guard = once.guard({ effect: 'external' });
    const send = serve(t.router({ pay: authed.use(guard).mutation(() => charge()) }));
    expect(await send('pay', { key: newKey() })).toMatchObject({ status: 500 });
    expect(charge.runs()).toBe(0);
  });

  test('may refuse with an error of the application', async () => {
    const { t, newKey } = openTrpc();
    const once = createIdempotency(t, {
      store: memoryStore(),
      acceptLoss: true,
      scope: ({ user }) => {
        if (!user) throw new TRPCError({ code: 'UNAUTHORIZED' });
        return user.id;
      },
    });
    const pay = t.procedure.use(once.guard({ effect: 'external' })).mutation(() => 'paid');
    const send = serve(t.router({ pay }));
    const key = newKey();
    expect(await send('pay', { key, user: null })).toMatchObject({ status: 401 });
    expect(await send('pay', { key })).toMatchObject({ status: 200 });
  });
});

describe('authentication', () => {
  test('is asked again before a replay', async () => {
    const { send, newKey, charge } = openPay();
    const key = newKey();
    await send('pay', { key, input });
    const signedOut = await send('pay', { key, input, user: null });
    expect(signedOut).toMatchObject({ status: 401 });
    expect(signedOut.text).not.toContain('receipt');
    expect(charge.runs()).toBe(1);
  });
});

describe('a guard that is used wrongly', () => {
  test('on a query refuses every call, and says why', async () => {
    const { t, once, authed } = openTrpc();
    const list = authed.use(once.guard({ effect: 'natural' })).query(() => []);
    const caller = t.router({ list }).createCaller;
    const context = { user: { id: 'alice' }, idempotency: incomingKeys() };
    await expect(caller(context).list()).rejects.toThrow(
      '`list` is a query, and a guard is for mutations only',
    );
  });

  test('without `idempotency` in the context refuses every call, and says what to add', async () => {
    const { t, once, authed, newKey } = openTrpc();
    const charge = counter();
    const guard = once.guard({ effect: 'external' });
    const router = t.router({ pay: authed.use(guard).mutation(() => charge()) });
    const send = serve(router, { createContext: () => ({ user: { id: 'alice' } }) });
    const { status, json } = await send('pay', { key: newKey() });
    expect(status).toBe(500);
    expect(json.error.message).toContain('add `idempotency: incomingKeys(options)`');
    expect(charge.runs()).toBe(0);
  });

  test('behind a middleware that puts another reader in place of the input refuses the call', async () => {
    const { t, once, authed, newKey } = openTrpc();
    const charge = counter();
    const pay = authed
      .use(({ next }) => next({ getRawInput: async () => 'decrypted' }))
      .use(once.guard({ effect: 'external' }))
      .mutation(() => charge());
    expect(await serve(t.router({ pay }))('pay', { key: newKey() })).toMatchObject(
      refusal(400, 'IDEMPOTENCY_KEY_MISSING'),
    );
    expect(charge.runs()).toBe(0);
  });

  test('for an effect that the store cannot give is refused when it is made', () => {
    const { once } = openTrpc();
    // @ts-expect-error: a store without transactions has no `atomic`
    const make = () => once.guard({ effect: 'atomic' });
    expect(make).toThrow(TypeError);
    expect(make).toThrow(/needs a store with transactions/);
  });

  test('on a store that forgets is refused when it is made', () => {
    const { t } = openTrpc();
    const once = createIdempotency(t, { store: memoryStore(), scope: () => 'alice' });
    expect(() => once.guard({ effect: 'external' })).toThrow(/acceptLoss/);
    expect(() => once.guard({ effect: 'natural' })).not.toThrow();
  });
});
