import { describe, expect, test } from 'vitest';
import { openTrpc, refusal, serve } from '../../test/trpc-fixture.ts';
import { incomingKeys } from './index.ts';

/** `charge`, which notes its keys, and mutations that call it on the server. */
function openCharge() {
  const fixture = openTrpc();
  const { t, once, authed } = fixture;
  const charged: string[] = [];
  const charge = authed
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
    expect(json[1].error.data.idempotency.code).toBe('IDEMPOTENCY_KEY_MISSING');
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
    expect(await send('order', { key: newKey() })).toMatchObject(
      refusal(400, 'IDEMPOTENCY_KEY_MISSING', { operation: 'charge' }),
    );
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
