import { describe, expect, test } from 'vitest';
import superjson from 'superjson';
import { z } from 'zod';
import { counter, openTrpc, refusal, serve } from '../../test/trpc-fixture.ts';
import { isEnvelope } from './envelope.ts';
import { incomingKeys } from './index.ts';

const Note = z.object({ text: z.string().optional() });

/** `save`, whose input has only optional fields: what a lost input would go unnoticed in. */
function openSave() {
  const fixture = openTrpc();
  const { t, once, authed } = fixture;
  const saved: unknown[] = [];
  const unwrapping = t.procedure.use(once.unwrap).concat(authed);
  const save = unwrapping
    .input(Note)
    .use(once.guard({ effect: 'external' }))
    .mutation(({ input, ctx }) => {
      saved.push(input);
      return ctx.idempotency.key;
    });
  return { ...fixture, unwrapping, saved, save };
}

function envelope(key: unknown, input: unknown) {
  return { $idempotency: key, input };
}

describe('a key inside an input', () => {
  test('is taken out before the input is parsed', async () => {
    const { t, save, saved, newKey } = openSave();
    const send = serve(t.router({ save }));
    const key = newKey();
    const first = await send('save', { input: envelope(key, { text: 'a' }) });
    const second = await send('save', { input: envelope(key, { text: 'a' }) });
    expect(first.json.result.data).toBe(key);
    expect(second.text).toBe(first.text);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(saved).toEqual([{ text: 'a' }]);
  });

  test('is not part of what is compared: over HTTP the same key names the same intent', async () => {
    const { t, save, saved, newKey } = openSave();
    const send = serve(t.router({ save }));
    const key = newKey();
    await send('save', { input: envelope(key, { text: 'a' }) });
    const overHttp = await send('save', { key, input: { text: 'a' } });
    expect(overHttp.headers.get('idempotent-replayed')).toBe('true');
    expect(await send('save', { input: envelope(key, { text: 'b' }) })).toMatchObject(
      refusal(422, 'IDEMPOTENCY_KEY_REUSED'),
    );
    expect(saved).toHaveLength(1);
  });

  test('may be the only thing in it', async () => {
    const { t, unwrapping, once, newKey } = openSave();
    const guard = once.guard({ effect: 'external' });
    const ping = unwrapping.use(guard).mutation(({ ctx }) => ctx.idempotency.key);
    const key = newKey();
    const { json } = await serve(t.router({ ping }))('ping', { input: { $idempotency: key } });
    expect(json.result.data).toBe(key);
  });

  test('survives a transformer, and so does the input', async () => {
    const { t, once, authed, newKey } = openTrpc({ transformer: superjson });
    const at = t.procedure
      .use(once.unwrap)
      .concat(authed)
      .input(z.date())
      .use(once.guard({ effect: 'external' }))
      .mutation(({ input, ctx }) => [input.getTime(), ctx.idempotency.key]);
    const key = newKey();
    const input = superjson.serialize(envelope(key, new Date(5)));
    const { json } = await serve(t.router({ at }))('at', { input });
    expect(json.result.data.json).toEqual([5, key]);
  });

  test.each([7, null, true, ['a'], {}, 'pay-1', ''])('must be one, and not %j', async (key) => {
    const { t, save, saved } = openSave();
    const send = serve(t.router({ save }));
    expect(await send('save', { input: envelope(key, { text: 'a' }) })).toMatchObject(
      refusal(400, 'IDEMPOTENCY_KEY_INVALID'),
    );
    expect(saved).toEqual([]);
  });

  test('must agree with the header', async () => {
    const { t, save, saved, newKey } = openSave();
    const send = serve(t.router({ save }));
    const key = newKey();
    const input = envelope(key, { text: 'a' });
    expect(await send('save', { key: newKey(), input })).toMatchObject(
      refusal(400, 'IDEMPOTENCY_KEY_INVALID', { problem: 'disagreeing' }),
    );
    expect(saved).toEqual([]);
    expect(await send('save', { key, input })).toMatchObject({ status: 200 });
  });

  test('is not inherited by calls on the server', async () => {
    const { t, unwrapping, save, saved, newKey } = openSave();
    const createCaller = t.createCallerFactory(t.router({ save }));
    const outer = unwrapping.mutation(({ ctx }) => createCaller(ctx).save({ text: 'nested' }));
    const send = serve(t.router({ outer }));
    const { status, json } = await send('outer', { input: envelope(newKey(), {}) });
    expect(status).toBe(400);
    expect(json.error.message).toMatch(/needs an Idempotency-Key/);
    expect(saved).toEqual([]);
  });

  test('is there once: a second envelope inside is not valid', async () => {
    const { t, save, saved, newKey } = openSave();
    const input = envelope(newKey(), envelope(newKey(), { text: 'a' }));
    expect(await serve(t.router({ save }))('save', { input })).toMatchObject(
      refusal(400, 'IDEMPOTENCY_KEY_INVALID', { problem: 'malformed' }),
    );
    expect(saved).toEqual([]);
  });

  test('counts for a call on the server, also inside a guarded mutation', async () => {
    const { t, once, authed, save, saved, newKey } = openSave();
    const createCaller = t.createCallerFactory(t.router({ save }));
    const own = newKey();
    const outer = authed
      .use(once.guard({ effect: 'external' }))
      .mutation(({ ctx }) =>
        createCaller(ctx as never).save(envelope(own, { text: 'nested' }) as never),
      );
    const { json } = await serve(t.router({ outer }))('outer', { key: newKey() });
    expect(json.result?.data).toBe(own);
    expect(saved).toEqual([{ text: 'nested' }]);
  });

  test('of one call of a batch leaves the others theirs', async () => {
    const { t, save, newKey } = openSave();
    const send = serve(t.router({ save }));
    const [inInput, inHeader] = [newKey(), newKey()];
    const { json } = await send('save,save', {
      keys: { 1: inHeader },
      input: [envelope(inInput, { text: 'a' }), { text: 'b' }],
    });
    expect(json.map((each: { result: { data: string } }) => each.result.data)).toEqual([
      inInput,
      inHeader,
    ]);
  });

  test('says nothing about a query, whose input stays as it is', async () => {
    const { t, unwrapping } = openSave();
    const echo = unwrapping.input(z.looseObject({})).query(({ input }) => input);
    const caller = t.router({ echo }).createCaller({
      user: { id: 'alice' },
      idempotency: incomingKeys(),
    });
    expect(await caller.echo(envelope('k', 1))).toEqual(envelope('k', 1));
  });

  test('is dropped by a mutation without a guard, which gets its input', async () => {
    const { t, unwrapping, newKey } = openSave();
    const touch = unwrapping.input(Note).mutation(({ input }) => input);
    const { json } = await serve(t.router({ touch }))('touch', {
      input: envelope(newKey(), { text: 'a' }),
    });
    expect(json.result.data).toEqual({ text: 'a' });
  });
});

describe('a key inside an input that nothing takes out', () => {
  test.each(['before', 'after'])(
    'is refused before the handler, with the guard %s `.input()`',
    async (place) => {
      const { t, once, authed, newKey } = openTrpc();
      const run = counter();
      const guard = once.guard({ effect: 'external' });
      const save =
        place === 'before'
          ? authed
              .use(guard)
              .input(Note)
              .mutation(() => run())
          : authed
              .input(Note)
              .use(guard)
              .mutation(() => run());
      const send = serve(t.router({ save }));
      const { status, json } = await send('save', { input: envelope(newKey(), { text: 'a' }) });
      expect(status).toBe(500);
      expect(json.error.message).toContain(
        'start the procedure from `t.procedure.use(once.unwrap)`',
      );
      expect(run.runs()).toBe(0);
    },
  );

  test('is refused when it is taken out too late', async () => {
    const { t, once, authed, newKey } = openTrpc();
    const run = counter();
    const save = authed
      .use(once.guard({ effect: 'external' }))
      .use(once.unwrap as never)
      .mutation(() => run());
    const send = serve(t.router({ save }));
    expect(await send('save', { input: envelope(newKey(), 1) })).toMatchObject({ status: 500 });
    expect(run.runs()).toBe(0);
  });
});

describe('an envelope', () => {
  test.each([
    [{ $idempotency: 'k', input: 1 }, true],
    [{ $idempotency: 'k' }, true],
    [{ $idempotency: undefined }, true],
    [{ $idempotency: 'k', input: 1, more: 2 }, false],
    [{ input: 1 }, false],
    [{}, false],
    [[], false],
    [null, false],
    ['$idempotency', false],
    [Object.create({ $idempotency: 'k' }), false],
  ])('is an object with a key and an input, and nothing else: %j', (input, expected) => {
    expect(isEnvelope(input)).toBe(expected);
  });
});
