import { TRPCError } from '@trpc/server';
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc';
import { describe, expect, test } from 'vitest';
import {
  type Context,
  counter,
  openTrpc,
  refusal,
  serve,
  type TrpcOptions,
} from '../../test/trpc-fixture.ts';
import { callerKey, type GuardOptions, incomingKeys } from './index.ts';

type Code = TRPCError['code'];
type GuardChoice = GuardOptions<'external' | 'natural' | 'steps'>;

/** What somebody wrote `throw` to say. */
const answers: readonly Code[] = [
  'BAD_REQUEST',
  'PAYMENT_REQUIRED',
  'FORBIDDEN',
  'NOT_FOUND',
  'METHOD_NOT_SUPPORTED',
  'CONFLICT',
  'PRECONDITION_FAILED',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'UNPROCESSABLE_CONTENT',
  'PRECONDITION_REQUIRED',
];

/** All others that this version of tRPC has: a new one is none of the above. */
const others = (Object.keys(TRPC_ERROR_CODES_BY_KEY) as Code[]).filter(
  (code) => !answers.includes(code),
);

/** A mutation that throws what the test wants, as often as it runs. */
function openFailing(error: () => unknown, guard: GuardChoice, options: TrpcOptions = {}) {
  const fixture = openTrpc(options);
  const { t, once, authed } = fixture;
  const run = counter();
  const seen: TRPCError[] = [];
  const fail = authed.use(once.guard(guard)).mutation(() => {
    run();
    throw error();
  });
  const send = serve(t.router({ fail }), { onError: (each) => void seen.push(each.error) });
  const key = fixture.newKey();
  return { ...fixture, run, seen, send: () => send('fail', { key }) };
}

describe('an error that is an answer', () => {
  test.each(answers)('is stored and replayed: %s', async (code) => {
    const failing = openFailing(() => new TRPCError({ code, message: 'No' }), {
      effect: 'external',
    });
    const first = await failing.send();
    const again = await failing.send();
    expect(first.json.error.data).toMatchObject({ code, idempotency: null });
    expect(again.text).toBe(first.text);
    expect(again.status).toBe(first.status);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(failing.run.runs()).toBe(1);
  });

  test('is stored for effects that could be repeated, too', async () => {
    for (const effect of ['natural', 'steps'] as const) {
      const failing = openFailing(() => new TRPCError({ code: 'FORBIDDEN' }), { effect });
      await failing.send();
      expect(await failing.send()).toMatchObject({ status: 403 });
      expect(failing.run.runs()).toBe(1);
    }
  });
});

describe('an error that may come from anywhere', () => {
  test.each(others)('leaves an external effect unknown: %s', async (code) => {
    const failing = openFailing(() => new TRPCError({ code }), { effect: 'external' });
    for (const answer of [await failing.send(), await failing.send()]) {
      expect(answer).toMatchObject(
        refusal(409, 'IDEMPOTENCY_OUTCOME_UNKNOWN', { retryAfterMs: 30_000 }),
      );
      expect(answer.headers.get('retry-after')).toBe('30');
    }
    expect(failing.run.runs()).toBe(1);
  });

  test.each(others)('frees the key where repeating is safe: %s', async (code) => {
    for (const effect of ['natural', 'steps'] as const) {
      const failing = openFailing(() => new TRPCError({ code, message: 'Busy' }), { effect });
      for (const { json } of [await failing.send(), await failing.send()]) {
        expect(json.error).toMatchObject({ message: 'Busy', data: { code, idempotency: null } });
      }
      expect(failing.run.runs()).toBe(2);
    }
  });

  test.each([
    ['an Error', new Error('connection reset')],
    ['no error at all', 'connection reset'],
    ['nothing', undefined],
  ])('is also what is thrown as %s', async (_, thrown) => {
    const failing = openFailing(() => thrown, { effect: 'external' });
    expect(await failing.send()).toMatchObject(refusal(409, 'IDEMPOTENCY_OUTCOME_UNKNOWN'));
    expect(failing.run.runs()).toBe(1);
  });

  test('is not told to clients when its outcome is unknown', async () => {
    const failing = openFailing(() => new Error('password is hunter2'), { effect: 'external' });
    expect((await failing.send()).text).not.toContain('hunter2');
  });
});

describe('classifyError', () => {
  const forbidden = () => new TRPCError({ code: 'FORBIDDEN' });
  const busy = () => new TRPCError({ code: 'SERVICE_UNAVAILABLE', message: 'Busy' });

  test('can store what would follow the effect', async () => {
    const failing = openFailing(busy, { effect: 'external', classifyError: () => 'store' });
    const first = await failing.send();
    expect(first).toMatchObject({ status: 503, json: { error: { message: 'Busy' } } });
    expect((await failing.send()).text).toBe(first.text);
    expect(failing.run.runs()).toBe(1);
  });

  test('can release what would be stored', async () => {
    const failing = openFailing(forbidden, { effect: 'external', classifyError: () => 'release' });
    expect(await failing.send()).toMatchObject({ status: 403 });
    expect(await failing.send()).toMatchObject({ status: 403 });
    expect(failing.run.runs()).toBe(2);
  });

  test('can doubt what would be stored', async () => {
    const failing = openFailing(forbidden, { effect: 'natural', classifyError: () => 'unknown' });
    expect(await failing.send()).toMatchObject(refusal(409, 'IDEMPOTENCY_OUTCOME_UNKNOWN'));
    expect(failing.run.runs()).toBe(1);
  });

  test('can leave it at that', async () => {
    const asked: TRPCError[] = [];
    const classifyError = (error: TRPCError) => void asked.push(error);
    const cause = new Error('connection reset');
    const failing = openFailing(() => cause, { effect: 'external', classifyError });
    expect(await failing.send()).toMatchObject(refusal(409, 'IDEMPOTENCY_OUTCOME_UNKNOWN'));
    // What was not thrown as a TRPCError is the cause of one.
    expect(asked[0]).toBeInstanceOf(TRPCError);
    expect(asked[0]?.cause).toBe(cause);
  });

  test('that fails itself changes neither the error nor what follows from the effect', async () => {
    const classifyError = () => {
      throw new TypeError('classifier');
    };
    const failing = openFailing(busy, { effect: 'natural', classifyError });
    for (const answer of [await failing.send(), await failing.send()]) {
      expect(answer).toMatchObject({ status: 503, json: { error: { message: 'Busy' } } });
    }
    expect(failing.run.runs()).toBe(2);
    expect(failing.seen.map(({ code }) => code)).toEqual([
      'SERVICE_UNAVAILABLE',
      'SERVICE_UNAVAILABLE',
    ]);
  });
});

describe('the stripe profile', () => {
  test.each([
    ['an Error', () => new Error('Card declined')],
    ['UNAUTHORIZED', () => new TRPCError({ code: 'UNAUTHORIZED', message: 'Card declined' })],
    ['FORBIDDEN', () => new TRPCError({ code: 'FORBIDDEN', message: 'Card declined' })],
  ])('stores every error: %s', async (_, error) => {
    const failing = openFailing(error, { effect: 'external' }, { profile: 'stripe' });
    const first = await failing.send();
    const again = await failing.send();
    expect(first.json.error.message).toBe('Card declined');
    expect(again.text).toBe(first.text);
    expect(failing.run.runs()).toBe(1);
  });
});

describe.each(['ietf', 'stripe'] as const)('in the %s profile', (profile) => {
  /** `order`, which charges under a key that was used for another amount. */
  function openOrder(effect: 'natural' | 'external') {
    const fixture = openTrpc({ profile });
    const { t, once, authed, newKey } = fixture;
    const cents = (input: unknown) => input as number;
    const guard = once.guard({ effect: 'external' });
    const charge = authed
      .input(cents)
      .use(guard)
      .mutation(() => 'charged');
    const createCaller = t.createCallerFactory(t.router({ charge }));
    const run = counter();
    const used = newKey();
    const order = authed.use(once.guard({ effect })).mutation(({ ctx: { user } }) => {
      run();
      return createCaller({ user, idempotency: callerKey(used) }).charge(2);
    });
    const send = serve(t.router({ charge, order }));
    return { send, run, newKey, useKey: () => send('charge', { key: used, input: 1 }) };
  }

  test('a refusal further in is about the moment: it is not stored', async () => {
    const { send, run, newKey, useKey } = openOrder('natural');
    await useKey();
    const key = newKey();
    for (const { status, json } of [await send('order', { key }), await send('order', { key })]) {
      // The client would take the refusal of something else for its own.
      expect([status, json.error.data.idempotency]).toEqual([500, null]);
      expect(json.error.message).toBe('Something it depends on was refused');
    }
    expect(run.runs()).toBe(2);
  });

  test('a refusal further in leaves an external effect unknown', async () => {
    const { send, run, newKey, useKey } = openOrder('external');
    await useKey();
    const key = newKey();
    for (const answer of [await send('order', { key }), await send('order', { key })]) {
      expect(answer).toMatchObject(refusal(409, 'IDEMPOTENCY_OUTCOME_UNKNOWN'));
    }
    expect(run.runs()).toBe(1);
  });
});

describe('onError', () => {
  test('finds the error that was thrown behind the one that is stored', async () => {
    const thrown = new TRPCError({ code: 'FORBIDDEN', message: 'No' });
    const failing = openFailing(() => thrown, { effect: 'external' });
    await failing.send();
    expect(failing.seen[0]).toMatchObject({ code: 'FORBIDDEN', message: 'No', cause: thrown });
    await failing.send();
    expect(failing.seen[1]).toMatchObject({ code: 'FORBIDDEN', message: 'No', cause: undefined });
  });

  test('sees the error that was thrown when the key is freed', async () => {
    const thrown = new Error('connection reset');
    const failing = openFailing(() => thrown, { effect: 'natural' });
    await failing.send();
    expect(failing.seen[0]?.cause).toBe(thrown);
  });

  test('finds the error that was thrown behind an unknown outcome', async () => {
    const thrown = new TRPCError({ code: 'BAD_GATEWAY' });
    const failing = openFailing(() => thrown, { effect: 'external' });
    await failing.send();
    expect(failing.seen[0]?.cause?.cause).toBe(thrown);
  });
});

describe('one error object that is thrown for everybody', () => {
  const shared = new TRPCError({ code: 'FORBIDDEN', message: 'No' });
  const formatter: NonNullable<TrpcOptions['formatter']> = ({ shape, ctx }) => ({
    ...shape,
    data: { ...shape.data, user: (ctx as Context | undefined)?.user?.id },
  });

  function openShared() {
    const fixture = openTrpc({ formatter });
    const { t, once, authed } = fixture;
    const refuse = () => {
      throw shared;
    };
    const router = t.router({
      guarded: authed.use(once.guard({ effect: 'external' })).mutation(refuse),
      plain: authed.mutation(refuse),
    });
    return { ...fixture, send: serve(router) };
  }

  test('answers each of them alone, guarded or not', async () => {
    const { send, newKey } = openShared();
    for (const [path, user] of [
      ['guarded', 'alice'],
      ['guarded', 'bob'],
      ['plain', 'carol'],
    ] as const) {
      const { json } = await send(path, { key: newKey(), user });
      expect(json.error.data).toMatchObject({ path, user });
    }
  });

  test('answers every call over one socket as it is, not as the one before', async () => {
    const { t, once, authed, newKey } = openTrpc({
      formatter: ({ shape, input }) => ({ ...shape, data: { ...shape.data, input } }),
    });
    const refuse = t.procedure
      .use(once.unwrap)
      .concat(authed)
      .use(once.guard({ effect: 'external' }))
      .mutation(() => {
        throw shared;
      });
    // A context that outlives its first call, as that of a WebSocket does.
    const socket = { user: { id: 'alice' }, idempotency: incomingKeys() };
    const send = serve(t.router({ refuse }), { createContext: () => socket });
    for (const input of [1, 2]) {
      const { json } = await send('refuse', { input: { $idempotency: newKey(), input } });
      expect(json.error.data.input).toBe(input);
    }
  });

  test('answers each of them alone, at the same time and ever after', async () => {
    const { send, newKey } = openShared();
    const calls = ['alice', 'bob', 'carol'].map((user) => ({ user, key: newKey() }));
    for (let delivery = 0; delivery < 2; delivery++) {
      const all = await Promise.all(calls.map((call) => send('guarded', call)));
      expect(all.map(({ json }) => json.error.data.user)).toEqual(['alice', 'bob', 'carol']);
    }
  });
});
