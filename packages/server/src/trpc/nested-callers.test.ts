import { describe, expect, test } from 'vitest';
import { TRPCError } from '@trpc/server';
import { mustNotRun } from '../../../../test/support/must-not-run.ts';
import { openTrpc, serve } from '../../test/trpc-fixture.ts';
import { incomingKeys } from './index.ts';

/** `charge`, which notes its keys, and mutations that call it on the server. */
function openCharge() {
  const fixture = openTrpc();
  const { t, once, authed } = fixture;
  const charged: string[] = [];
  const charge = t.procedure
    .use(once.unwrap)
    .concat(authed)
    .use(once.guard({ effect: 'external' }))
    .mutation(({ ctx: { idempotency } }) => {
      charged.push(idempotency.key);
      return charged.length;
    });
  const createCaller = t.createCallerFactory(t.router({ charge }));
  return { ...fixture, charge, charged, createCaller };
}

describe('a call on the server, with the context of a mutation that was sent,', () => {
  test('never takes the key of another call of the batch', async () => {
    const { t, authed, charge, charged, createCaller, newKey } = openCharge();
    const order = authed.mutation(({ ctx }) => createCaller(ctx).charge());
    const send = serve(t.router({ charge, order }));
    const [ofCharge, ofOrder] = [newKey(), newKey()];
    const { json } = await send('charge,order', {
      keys: { 0: ofCharge, 1: ofOrder },
      input: [{}, {}],
    });
    // tRPC counts the nested call as the first of a batch; that place is taken by `charge`.
    expect(charged).toEqual([ofCharge]);
    expect(json[1].error.message).toMatch(/needs an Idempotency-Key/);
  });

  test('never takes the key of another call of the batch, inside a guarded one either', async () => {
    const { t, once, authed, charge, charged, createCaller, newKey } = openCharge();
    const order = authed
      .use(once.guard({ effect: 'external' }))
      .mutation(({ ctx }) => createCaller(ctx as never).charge());
    const send = serve(t.router({ charge, order }));
    const keys = [newKey(), newKey()];
    await send('charge,order', { keys: { ...keys }, input: [{}, {}] });
    expect(charged).toHaveLength(2);
    expect(new Set([...charged, ...keys]).size).toBe(3);
  });

  test('never takes the key of the call around it', async () => {
    const { t, authed, charged, createCaller, newKey } = openCharge();
    const order = authed.mutation(({ ctx }) => createCaller(ctx).charge());
    const send = serve(t.router({ order }));
    const { status, json } = await send('order', { key: newKey() });
    // Not about the key of `order`, which has arrived and is not needed.
    expect([status, json.error.data.idempotency]).toEqual([400, null]);
    expect(json.error.message).toMatch(/needs an Idempotency-Key/);
    expect(charged).toEqual([]);
  });
});

describe('a call inside a guarded mutation', () => {
  test('has a key of its own, derived: the same on every attempt, another for each call', async () => {
    const { t, once, authed, charged, createCaller, newKey } = openCharge();
    const answers: number[][] = [];
    const order = authed.use(once.guard({ effect: 'natural' })).mutation(async ({ ctx }) => {
      const { idempotency } = ctx;
      const caller = createCaller({ ...ctx, idempotency: incomingKeys() });
      answers.push([await caller.charge(), await caller.charge()]);
      if (idempotency.attempt === 1) throw new Error('connection reset');
    });
    const send = serve(t.router({ order }));
    const key = newKey();
    expect(await send('order', { key })).toMatchObject({ status: 500 });
    expect(await send('order', { key })).toMatchObject({ status: 200 });
    // The second attempt got the answers of the first, so nothing was charged again.
    expect(answers).toEqual([
      [1, 2],
      [1, 2],
    ]);
    expect(new Set([key, ...charged]).size).toBe(3);
  });

  test('keeps its key when the others fail or overtake it before they reach the guard', async () => {
    const { t, once, authed, newKey } = openTrpc();
    const charged: string[] = [];
    let attempt = 0;
    const slowly = authed.input(String).use(async ({ input, next }) => {
      // The first attempt turns `b` away; the second one lets `b` in first.
      if (attempt === 1 && input === 'b') throw new TRPCError({ code: 'UNAUTHORIZED' });
      if (attempt === 2 && input === 'a') await new Promise(setImmediate);
      return next();
    });
    const charge = t.procedure
      .use(once.unwrap)
      .concat(slowly)
      .use(once.guard({ effect: 'external' }))
      .mutation(({ input }) => void charged.push(input));
    const createCaller = t.createCallerFactory(t.router({ charge }));
    const order = authed.use(once.guard({ effect: 'natural' })).mutation(async ({ ctx }) => {
      attempt = ctx.idempotency.attempt;
      const caller = createCaller({ ...ctx, idempotency: incomingKeys() });
      const ended = await Promise.allSettled([caller.charge('a'), caller.charge('b')]);
      if (ended.some(({ status }) => status === 'rejected')) throw new Error('not all paid');
    });
    const send = serve(t.router({ order }));
    const key = newKey();
    expect(await send('order', { key })).toMatchObject({ status: 500 });
    expect(await send('order', { key })).toMatchObject({ status: 200 });
    expect(charged).toEqual(['a', 'b']);
  });

  test('has one key, however often a middleware runs the rest of it', async () => {
    const { t, once, authed, newKey } = openTrpc();
    const charged: string[] = [];
    const charge = t.procedure
      .use(async ({ next }) => {
        const first = await next();
        return first.ok ? first : next();
      })
      .use(once.unwrap)
      .concat(authed)
      .use(once.guard({ effect: 'external' }))
      .mutation(({ ctx: { idempotency } }) => {
        charged.push(idempotency.key);
        throw new Error('connection reset');
      });
    const createCaller = t.createCallerFactory(t.router({ charge }));
    const order = authed
      .use(once.guard({ effect: 'external' }))
      .mutation(({ ctx }) => createCaller(ctx as never).charge());
    await serve(t.router({ order }))('order', { key: newKey() });
    expect(charged).toHaveLength(1);
  });

  test('is refused where nobody numbers the calls', async () => {
    const { t, once, authed, newKey } = openTrpc();
    const guard = once.guard({ effect: 'external' });
    const charge = authed.use(guard).mutation(mustNotRun);
    const createCaller = t.createCallerFactory(t.router({ charge }));
    const order = authed
      .use(once.guard({ effect: 'natural' }))
      .mutation(({ ctx }) => createCaller(ctx as never).charge());
    const { status, json } = await serve(t.router({ order }))('order', { key: newKey() });
    expect(status).toBe(500);
    expect(json.error.message).toMatch(/`charge` .* start the procedure from .*once\.unwrap/);
  });

  test('needs nothing in the context to have it', async () => {
    const { t, once, authed, charged, createCaller, newKey } = openCharge();
    const order = authed
      .use(once.guard({ effect: 'external' }))
      .mutation(({ ctx: { user } }) => createCaller({ user } as never).charge());
    const send = serve(t.router({ order }));
    expect(await send('order', { key: newKey() })).toMatchObject({ status: 200 });
    expect(charged).toHaveLength(1);
  });

  test('through a mutation that is not guarded has one, too', async () => {
    const { t, once, authed, charged, createCaller, newKey } = openCharge();
    const ship = authed.mutation(({ ctx }) => createCaller(ctx).charge());
    const shipping = t.createCallerFactory(t.router({ ship }));
    const order = authed
      .use(once.guard({ effect: 'external' }))
      .mutation(({ ctx }) => shipping(ctx as never).ship());
    const send = serve(t.router({ order }));
    expect(await send('order', { key: newKey() })).toMatchObject({ status: 200 });
    expect(charged).toHaveLength(1);
  });

  test('whose key was not required has one, too', async () => {
    const { t, once, authed, charged, createCaller } = openCharge();
    const order = authed
      .use(once.guard({ effect: 'external', required: false }))
      .mutation(({ ctx }) => createCaller(ctx as never).charge());
    const send = serve(t.router({ order }));
    expect(await send('order')).toMatchObject({ status: 200 });
    expect(charged).toHaveLength(1);
  });
});
