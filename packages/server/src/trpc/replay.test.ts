import { initTRPC, type TRPCDefaultErrorShape, TRPCError } from '@trpc/server';
import superjson from 'superjson';
import { describe, expect, test } from 'vitest';
import { z, ZodError } from 'zod';
import { deferred } from '../../../../test/support/deferred.ts';
import {
  type Answer,
  type Context,
  counter,
  openTrpc,
  refusal,
  type Send,
  type Sent,
  serve,
  type TrpcOptions,
} from '../../test/trpc-fixture.ts';
import { memoryStore } from '../index.ts';
import { callerKey, createIdempotency, idempotencyErrorFormatter } from './index.ts';

/** A mutation that returns what the test wants, and how often it ran. */
function openReturning(make: () => unknown, options: TrpcOptions = {}) {
  const fixture = openTrpc(options);
  const { t, once, authed } = fixture;
  const run = counter();
  const get = authed.use(once.guard({ effect: 'external' })).mutation(() => {
    run();
    return make();
  });
  return { ...fixture, run, send: serve(t.router({ get })) };
}

async function twice(
  send: Send,
  path: string,
  sent: Sent,
): Promise<[first: Answer, again: Answer]> {
  return [await send(path, sent), await send(path, sent)];
}

function expectReplayed([first, again]: [first: Answer, again: Answer]): void {
  expect(again.text).toBe(first.text);
  expect(again.status).toBe(first.status);
  expect(first.headers.has('idempotent-replayed')).toBe(false);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
}

describe('a replayed value', () => {
  test.each<[what: string, make: () => unknown]>([
    ['a Date', () => new Date(5)],
    ['an invalid Date', () => new Date(Number.NaN)],
    ['a Map', () => new Map([[{ a: 1 }, new Set(['b'])]])],
    ['a Set', () => new Set([1, 'two', new Date(3)])],
    ['a BigInt', () => 10n ** 30n],
    ['undefined', () => undefined],
    ['null', () => null],
    ['NaN', () => Number.NaN],
    ['-0', () => -0],
    ['Infinity', () => [Infinity, -Infinity]],
    ['undefined inside', () => ({ a: undefined, b: [undefined, { c: undefined }] })],
    ['a RegExp and a URL', () => [/a.b/giu, new URL('https://onceward.test/?q=1')]],
    ['the same object twice', () => twiceTheSame()],
    ['bytes', () => new Uint8Array([0, 255])],
    ['text', () => 'ü\u2028"\ud83d\ude00'],
    ['names like builtins', () => ({ toString: 1, hasOwnProperty: 2 })],
    ['much of everything', () => ({ at: new Date(1), by: new Map([['n', 1n]]), none: undefined })],
  ])('is the same bytes under superjson: %s', async (_, make) => {
    const { send, newKey, run } = openReturning(make, { transformer: superjson });
    const answers = await twice(send, 'get', { key: newKey() });
    expect(answers[0].status).toBe(200);
    expectReplayed(answers);
    expect(run.runs()).toBe(1);
  });

  test.each<[what: string, make: () => unknown, wire: string]>([
    ['undefined', () => undefined, '{"result":{}}'],
    ['null', () => null, '{"result":{"data":null}}'],
    ['a Date', () => new Date(0), '{"result":{"data":"1970-01-01T00:00:00.000Z"}}'],
    ['NaN', () => [Number.NaN], '{"result":{"data":[null]}}'],
    [
      'undefined inside',
      () => ({ a: undefined, b: [undefined] }),
      '{"result":{"data":{"b":[null]}}}',
    ],
    ['text', () => 'ü"', '{"result":{"data":"ü\\""}}'],
    ['a list', () => [1, [2, { a: 3 }]], '{"result":{"data":[1,[2,{"a":3}]]}}'],
    ['a value with toJSON', () => ({ toJSON: () => 'short' }), '{"result":{"data":"short"}}'],
  ])('is the same bytes without a transformer: %s', async (_, make, wire) => {
    const { send, newKey, run } = openReturning(make);
    const answers = await twice(send, 'get', { key: newKey() });
    expect(answers[0].text).toBe(wire);
    expectReplayed(answers);
    expect(run.runs()).toBe(1);
  });

  test('is the same bytes in a batch', async () => {
    const { send, newKey, run } = openReturning(() => new Date(5), { transformer: superjson });
    const sent = { keys: { 0: newKey(), 1: newKey() }, input: [{ json: 1 }, { json: 2 }] };
    expectReplayed(await twice(send, 'get,get', sent));
    expect(run.runs()).toBe(2);
  });

  test('reaches a caller on the server as clients get it: as text, if nothing transforms it', async () => {
    for (const [options, expected] of [
      [{}, '1970-01-01T00:00:00.000Z'],
      [{ transformer: superjson }, new Date(0)],
    ] as const) {
      const { t, once, authed, newKey } = openTrpc(options);
      const guard = once.guard({ effect: 'external' });
      const router = t.router({ get: authed.use(guard).mutation(() => new Date(0)) });
      const key = newKey();
      const call = () =>
        router.createCaller({ user: { id: 'alice' }, idempotency: callerKey(key) }).get();
      expect([await call(), await call()]).toEqual([expected, expected]);
    }
  });

  test('is what was returned, whatever the handler makes of it later', async () => {
    const account = { balance: 10 };
    // After the answer was read and before it is sent, somebody else deposits.
    const probe = (point: string) => void (point === 'after-complete' && (account.balance = 20));
    const { t, once, authed, newKey } = openTrpc({ probe });
    const deposit = authed.use(once.guard({ effect: 'external' })).mutation(() => account);
    const answers = await twice(serve(t.router({ deposit })), 'deposit', { key: newKey() });
    expect(answers[0].json.result.data).toEqual({ balance: 10 });
    expectReplayed(answers);
  });

  test('is its own, although others were returned before it is stored', async () => {
    const values = [{ id: 1 }, { id: 2 }, 'text', { id: 4 }];
    const [all, left] = [deferred(), new Set(values.keys())];
    const probe = async (point: string) => {
      if (point === 'after-execute') await all.promise;
    };
    const { t, once, authed, newKey } = openTrpc({ probe });
    const guard = once.guard({ effect: 'external' });
    const get = authed
      .use(guard)
      .input(z.number())
      .mutation(({ input }) => {
        left.delete(input);
        if (left.size === 0) all.resolve();
        return values[input];
      });
    const send = serve(t.router({ get }));
    const sent = values.map((_, input) => ({ key: newKey(), input }));
    const deliver = () => Promise.all(sent.map((each) => send('get', each)));
    for (const answers of [await deliver(), await deliver()]) {
      expect(answers.map(({ json }) => json.result.data)).toEqual(values);
    }
  });

  test('has passed its output parser once, wherever that is declared', async () => {
    const { t, once, authed, newKey } = openTrpc();
    const Exclaimed = z.object({ text: z.string().transform((text) => `${text}!`) });
    const guard = once.guard({ effect: 'external' });
    const run = counter();
    const say = () => ({ text: `${run()}` });
    const send = serve(
      t.router({
        before: authed.output(Exclaimed).use(guard).mutation(say),
        after: authed.use(guard).output(Exclaimed).mutation(say),
      }),
    );
    for (const path of ['before', 'after']) {
      const answers = await twice(send, path, { key: newKey() });
      expect(answers[0].json.result.data.text).toMatch(/^\d!$/);
      expectReplayed(answers);
    }
    expect(run.runs()).toBe(2);
  });
});

describe('an output that its parser refuses', () => {
  test.each([
    ['before', 500, undefined],
    ['after', 409, 'IDEMPOTENCY_OUTCOME_UNKNOWN'],
  ])('does not make a mutation run again, declared %s the guard', async (place, status, code) => {
    const { t, once, authed, newKey } = openTrpc();
    const guard = once.guard({ effect: 'external' });
    const run = counter();
    const wrong = () => `${run()}` as never;
    const get =
      place === 'before'
        ? authed.output(z.number()).use(guard).mutation(wrong)
        : authed.use(guard).output(z.number()).mutation(wrong);
    const answers = await twice(serve(t.router({ get })), 'get', { key: newKey() });
    for (const answer of answers) {
      expect(answer.status).toBe(status);
      expect(answer.json.error.data.idempotency?.code).toBe(code);
    }
    expect(run.runs()).toBe(1);
  });
});

describe('a value that cannot be kept', () => {
  const unavailable = refusal(410, 'IDEMPOTENCY_RESPONSE_UNAVAILABLE', {
    reason: 'not-serialisable',
  });

  test('because tRPC itself cannot send it fails for its caller, and does not run again', async () => {
    const { send, newKey, run } = openReturning(() => 10n);
    const [first, again] = await twice(send, 'get', { key: newKey() });
    expect(first).toMatchObject({ status: 500 });
    expect(first.json.error.message).toMatch(/BigInt/);
    expect(again).toMatchObject(unavailable);
    expect(run.runs()).toBe(1);
  });

  test('because JSON would lose it reaches its caller, and is not replayed as something else', async () => {
    const { send, newKey, run } = openReturning(() => ({ by: new Map([[1, 2]]) }));
    const [first, again] = await twice(send, 'get', { key: newKey() });
    expect(first.text).toBe('{"result":{"data":{"by":{}}}}');
    expect(again).toMatchObject(unavailable);
    expect(run.runs()).toBe(1);
  });

  test.each([
    ['does not restore', { serialize: increase, deserialize: (wire: unknown) => wire }],
    ['cannot read', { serialize: (value: unknown) => value, deserialize: refuseNumbers }],
  ])('because its transformer %s what it wrote is not replayed', async (_, transformer) => {
    const { send, newKey, run } = openReturning(() => 1, { transformer });
    const [first, again] = await twice(send, 'get', { key: newKey() });
    expect(first.status).toBe(200);
    expect(again).toMatchObject(unavailable);
    expect(run.runs()).toBe(1);
  });

  test('because it is too large is not replayed', async () => {
    const { send, newKey, run } = openReturning(() => 'x'.repeat(200), { maxAnswerBytes: 100 });
    const [first, again] = await twice(send, 'get', { key: newKey() });
    expect(first.status).toBe(200);
    expect(again).toMatchObject(
      refusal(410, 'IDEMPOTENCY_RESPONSE_UNAVAILABLE', { reason: 'too-large' }),
    );
    expect(run.runs()).toBe(1);
  });
});

describe('a replayed error', () => {
  /** A formatter as applications have it: details of zod, and the time of the answer. */
  const formatter = (now: () => number): NonNullable<TrpcOptions['formatter']> => {
    return ({ shape, error, ctx, path }) => ({
      ...shape,
      data: {
        ...shape.data,
        at: new Date(now()),
        zod: error.cause instanceof ZodError ? z.flattenError(error.cause) : undefined,
        user: (ctx as Context | undefined)?.user?.id,
        where: path,
      },
    });
  };

  describe.each<[what: string, options: TrpcOptions]>([
    ['without a transformer', {}],
    ['under superjson', { transformer: superjson }],
    ['in development', { isDev: true }],
    ['in development, under superjson', { isDev: true, transformer: superjson }],
  ])('is the same bytes %s', (_, options) => {
    const Amount = z.object({ cents: z.number() });

    function openFailing() {
      let now = 0;
      const fixture = openTrpc({ ...options, formatter: formatter(() => now++) });
      const { t, once, authed } = fixture;
      const guard = once.guard({ effect: 'external' });
      const run = counter();
      const parse = () => {
        run();
        const { error } = Amount.safeParse({ cents: 'many' });
        throw new TRPCError({ code: 'BAD_REQUEST', message: 'Not an amount', cause: error });
      };
      const forbid = () => {
        run();
        throw new TRPCError({ code: 'FORBIDDEN', message: 'No: "ü"\u2028' });
      };
      const router = t.router({
        parse: authed.use(guard).mutation(parse),
        forbid: authed.use(guard).mutation(forbid),
        early: authed
          .use(guard)
          .input(Amount)
          .mutation(() => run()),
      });
      return { ...fixture, run, send: serve(router) };
    }

    test.each([
      ['an error with details of zod, from the handler', 'parse', 400, 1],
      ['a plain TRPCError', 'forbid', 403, 1],
      ['an input that was refused after the guard', 'early', 400, 0],
    ])('%s', async (__, path, status, runs) => {
      const { send, newKey, run } = openFailing();
      const answers = await twice(send, path, { key: newKey(), input: { json: {} } });
      expect(answers[0]).toMatchObject({ status });
      expectReplayed(answers);
      expect(answers[0].text).not.toContain('stack');
      const error = options.transformer ? answers[0].json.error.json : answers[0].json.error;
      expect(error.data).toMatchObject({ user: 'alice', where: path, idempotency: null });
      if (path !== 'forbid') expect(error.data.zod.fieldErrors.cents).toHaveLength(1);
      expect(run.runs()).toBe(runs);
    });
  });

  test('keeps the stack of what is not stored, in development', async () => {
    const { t, once, authed, newKey } = openTrpc({ isDev: true });
    const fail = authed.use(once.guard({ effect: 'natural' })).mutation(() => {
      throw new Error('connection reset');
    });
    const { json } = await serve(t.router({ fail }))('fail', { key: newKey() });
    expect(json.error.data.stack).toContain('connection reset');
  });

  test('has no stack, wherever a formatter would put it', async () => {
    const { t, once, authed, newKey } = openTrpc({
      isDev: true,
      formatter: ({ shape }) => ({ ...shape, data: { ...shape.data, trace: shape.data.stack } }),
    });
    const forbid = authed.use(once.guard({ effect: 'external' })).mutation(() => {
      throw new TRPCError({ code: 'FORBIDDEN' });
    });
    const answers = await twice(serve(t.router({ forbid })), 'forbid', { key: newKey() });
    expect(answers[0].json.error.data).not.toHaveProperty('trace');
    expectReplayed(answers);
  });

  describe('where `.errors()` formats', () => {
    class OutOfStock extends Error {
      readonly left = 3;
    }

    /** `inside` is declared after the guard, `outside` before it. */
    function openBuy(isDev: boolean, skip: () => never) {
      const fixture = openTrpc({ isDev });
      const { t, once, authed } = fixture;
      if (!('errors' in authed)) {
        console.log('Skipped: this version of tRPC has no `.errors()`');
        skip();
      }
      const guard = once.guard({ effect: 'external' });
      const run = counter();
      const buy = () => {
        run();
        throw new TRPCError({ code: 'CONFLICT', message: 'No stock', cause: new OutOfStock() });
      };
      let answers = 0;
      const format = ({ shape, error }: { shape: TRPCDefaultErrorShape; error: TRPCError }) =>
        error.cause instanceof OutOfStock
          ? { ...shape, data: { ...shape.data, left: error.cause.left, at: ++answers } }
          : undefined;
      const router = t.router({
        inside: authed.use(guard).errors(format).mutation(buy),
        outside: authed.errors(format).use(guard).mutation(buy),
      });
      return { ...fixture, run, send: serve(router) };
    }

    test.for([true, false])(
      'is the same bytes inside the guard, with isDev %j',
      async (isDev, { skip }) => {
        const { send, newKey, run } = openBuy(isDev, skip);
        const answers = await twice(send, 'inside', { key: newKey() });
        expect(answers[0].json.error.data).toMatchObject({ left: 3, at: 1 });
        expect(answers[0].text).not.toContain('stack');
        expectReplayed(answers);
        expect(run.runs()).toBe(1);
      },
    );

    test('is not heard outside the guard, neither at first nor later', async ({ skip }) => {
      const { send, newKey, run } = openBuy(false, skip);
      const answers = await twice(send, 'outside', { key: newKey() });
      expect(answers[0].json.error.data).toMatchObject({ code: 'CONFLICT' });
      expect(answers[0].json.error.data).not.toHaveProperty('left');
      expectReplayed(answers);
      expect(run.runs()).toBe(1);
    });
  });

  test('keeps its failure when the formatter fails, and does not claim that it took effect', async () => {
    const { t, once, authed, newKey } = openTrpc({
      formatter: ({ shape, error }) => {
        if (error.code === 'FORBIDDEN') throw new TypeError('formatter');
        return shape;
      },
    });
    const run = counter();
    const forbid = authed.use(once.guard({ effect: 'external' })).mutation(() => {
      run();
      throw new TRPCError({ code: 'FORBIDDEN', message: 'No' });
    });
    const answers = await twice(serve(t.router({ forbid })), 'forbid', { key: newKey() });
    const [first] = answers;
    expect(first).toMatchObject({ status: 403, json: { error: { message: 'FORBIDDEN' } } });
    expect(first.json.error.data).toMatchObject({ code: 'FORBIDDEN', idempotency: null });
    expectReplayed(answers);
    expect(run.runs()).toBe(1);
  });

  test('is cut down to its name when it cannot be kept whole', async () => {
    const { t, once, authed, newKey } = openTrpc({
      formatter: ({ shape, error }) => ({
        ...shape,
        data: { ...shape.data, dump: error.cause?.message },
      }),
      maxAnswerBytes: 1_000,
    });
    const run = counter();
    const forbid = authed.use(once.guard({ effect: 'external' })).mutation(() => {
      run();
      const cause = new Error('x'.repeat(2_000));
      throw new TRPCError({ code: 'FORBIDDEN', message: 'No', cause });
    });
    const [first, again] = await twice(serve(t.router({ forbid })), 'forbid', { key: newKey() });
    expect([first.status, again.status]).toEqual([403, 403]);
    expect(again.json.error).toMatchObject({ message: 'No', data: { code: 'FORBIDDEN' } });
    expect(run.runs()).toBe(1);
  });
});

describe('a root is refused', () => {
  const options = { store: memoryStore(), acceptLoss: true, scope: () => 'alice' };
  const errorFormatter = idempotencyErrorFormatter();

  test('that is none', () => {
    for (const root of [undefined, {}, initTRPC]) {
      expect(() => createIdempotency(root as never, options)).toThrow(
        'Expected `t` to be what initTRPC.create() returns',
      );
    }
  });

  test('without the error formatter', () => {
    for (const root of [
      initTRPC.create(),
      initTRPC.create({ errorFormatter: ({ shape }) => shape }),
    ]) {
      expect(() => createIdempotency(root, options)).toThrow(/errorFormatter: idempotencyErrorF/);
    }
  });

  test.each<
    [
      what: string,
      output: { deserialize: (wire: unknown) => unknown; serialize: (value: unknown) => unknown },
    ]
  >([
    ['cannot read on the server', { serialize: JSON.stringify, deserialize: refuse }],
    ['reads something else', { serialize: JSON.stringify, deserialize: (wire) => wire }],
    ['forgets', { serialize: (value) => value, deserialize: () => undefined }],
    [
      'never writes the same twice',
      { serialize: (value) => [Math.random(), value], deserialize: second },
    ],
  ])('whose transformer %s', (_, output) => {
    const t = initTRPC.create({ errorFormatter, transformer: { input: superjson, output } });
    expect(() => createIdempotency(t, options)).toThrow(/transformer\.output\.deserialize/);
  });

  test.each<[what: string, serialize: (value: unknown) => unknown]>([
    ['cannot write inputs on the server', refuse],
    ['never writes the same input twice', (value) => [Math.random(), value]],
  ])('whose transformer %s', (_, serialize) => {
    const transformer = { input: { ...superjson, serialize }, output: superjson };
    const t = initTRPC.create({ errorFormatter, transformer });
    expect(() => createIdempotency(t, options)).toThrow(/transformer\.input\.serialize/);
  });

  test('by nobody whose transformer is different for inputs and outputs, and works', () => {
    const text = { serialize: JSON.stringify, deserialize: (wire: string) => JSON.parse(wire) };
    const t = initTRPC.create({ errorFormatter, transformer: { input: superjson, output: text } });
    expect(() => createIdempotency(t, options)).not.toThrow();
  });

  test('without a scope, or with a syntax of keys that there is not', () => {
    const t = initTRPC.create({ errorFormatter });
    expect(() => createIdempotency(t, { ...options, scope: 'alice' as never })).toThrow(/`scope`/);
    expect(() => createIdempotency(t, { ...options, keyHeader: 'loose' as never })).toThrow(
      /`keyHeader`/,
    );
  });
});

function twiceTheSame(): unknown {
  const shared = { a: new Date(1) };
  return [shared, shared];
}

/** Restores what a root is tried with, and not every value. */
function increase(value: unknown): unknown {
  return typeof value === 'number' ? value + 1 : value;
}

function refuseNumbers(wire: unknown): unknown {
  return typeof wire === 'number' ? refuse() : wire;
}

function refuse(): never {
  throw new TypeError('not here');
}

function second(wire: unknown): unknown {
  return (wire as unknown[])[1];
}
