import type { ErrorCode, IdempotencyKey } from '@onceward/core';
import type { TransactionalStore } from '@onceward/core/store';
import { createTRPCClient, httpLink, TRPCClientError } from '@trpc/client';
import {
  type inferRouterContext,
  type inferRouterError,
  type inferRouterInputs,
  type inferRouterOutputs,
  initTRPC,
  TRPCError,
} from '@trpc/server';
import superjson from 'superjson';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { type Context, openTrpc, type User } from '../../test/trpc-fixture.ts';
import { memoryStore, type Step } from '../index.ts';
import { createIdempotency, type Idempotency, idempotencyErrorFormatter } from './index.ts';

interface Transaction {
  query(sql: string): Promise<void>;
}

/** A store with transactions, to the compiler; nothing here is ever called. */
function transactionalStore(): TransactionalStore<Transaction> {
  const store = memoryStore();
  return Object.assign(store, {
    capabilities: { transactions: true, durable: true, failoverSafe: true },
    transact: () => Promise.reject(new Error('not here')),
    transactStep: () => Promise.reject(new Error('not here')),
  });
}

function openRoot() {
  const t = initTRPC.context<Context>().create({
    transformer: superjson,
    errorFormatter: idempotencyErrorFormatter(),
  });
  const authed = t.procedure.use(({ ctx: { user }, next }) => {
    if (!user) throw new TRPCError({ code: 'UNAUTHORIZED' });
    return next({ ctx: { user, traceId: 7 } });
  });
  return { t, authed, scope: (ctx: { user: User }) => ctx.user.id };
}

describe('a router with a guard', () => {
  test('keeps its inputs, outputs and context', () => {
    const { t, authed, scope } = openRoot();
    const once = createIdempotency(t, { store: memoryStore(), acceptLoss: true, scope });
    const router = t.router({
      pay: authed
        .input(z.object({ cents: z.number().default(1), at: z.date() }))
        .use(once.guard({ effect: 'external' }))
        .mutation(({ ctx, input }) => {
          expectTypeOf(ctx.user).toEqualTypeOf<User>();
          expectTypeOf(ctx.traceId).toEqualTypeOf<number>();
          expectTypeOf(ctx.idempotency.key).toEqualTypeOf<IdempotencyKey>();
          expectTypeOf(ctx.idempotency.attempt).toEqualTypeOf<number>();
          expectTypeOf(ctx.idempotency.signal).toEqualTypeOf<AbortSignal>();
          expectTypeOf(input).toEqualTypeOf<{ cents: number; at: Date }>();
          return { at: input.at, total: BigInt(input.cents) };
        }),
      unwrapped: t.procedure
        .use(once.unwrap)
        .concat(authed)
        .input(z.string())
        .use(once.guard({ effect: 'natural' }))
        .mutation(({ ctx, input }) => {
          expectTypeOf(ctx.user).toEqualTypeOf<User>();
          expectTypeOf(input).toEqualTypeOf<string>();
          return input.length;
        }),
    });
    expect(Object.keys(router._def.procedures)).toEqual(['pay', 'unwrapped']);
    type Inputs = inferRouterInputs<typeof router>;
    type Outputs = inferRouterOutputs<typeof router>;
    expectTypeOf<Inputs['pay']>().toEqualTypeOf<{ cents?: number | undefined; at: Date }>();
    expectTypeOf<Outputs['pay']>().toEqualTypeOf<{ at: Date; total: bigint }>();
    expectTypeOf<Inputs['unwrapped']>().toEqualTypeOf<string>();
    expectTypeOf<Outputs['unwrapped']>().toEqualTypeOf<number>();
    expectTypeOf<inferRouterContext<typeof router>>().toEqualTypeOf<Context>();
  });
});

describe('ctx.idempotency', () => {
  test('has steps with the effect `steps`, and no transaction without a store that has them', () => {
    const { t, authed, scope } = openRoot();
    const once = createIdempotency(t, { store: memoryStore(), acceptLoss: true, scope });
    expectTypeOf(once).toEqualTypeOf<Idempotency<{ user: User }, never>>();
    authed.use(once.guard({ effect: 'steps' })).mutation(({ ctx }) => {
      expectTypeOf(ctx.idempotency.step).toEqualTypeOf<Step>();
      expectTypeOf(ctx.idempotency).not.toHaveProperty('tx');
    });
    authed.use(once.guard({ effect: 'external' })).mutation(({ ctx }) => {
      expectTypeOf(ctx.idempotency).not.toHaveProperty('step');
      expectTypeOf(ctx.idempotency).not.toHaveProperty('tx');
    });
    // @ts-expect-error: a store without transactions has no `atomic`
    expect(() => once.guard({ effect: 'atomic' })).toThrow(TypeError);
    // @ts-expect-error: there is no default for what a handler touches
    expect(() => once.guard({})).toThrow(/effect/);
  });

  test('has the transaction of the store with the effect `atomic`', () => {
    const { t, authed, scope } = openRoot();
    const once = createIdempotency(t, { store: transactionalStore(), scope });
    expectTypeOf(once).toEqualTypeOf<Idempotency<{ user: User }, Transaction>>();
    authed.use(once.guard({ effect: 'atomic' })).mutation(({ ctx }) => {
      expectTypeOf(ctx.idempotency.tx).toEqualTypeOf<Transaction>();
      expectTypeOf(ctx.idempotency).not.toHaveProperty('step');
    });
    authed.use(once.guard({ effect: 'external' })).mutation(({ ctx }) => {
      expectTypeOf(ctx.idempotency).not.toHaveProperty('tx');
    });
  });
});

describe('the scope', () => {
  test('without a type of its own gets the context of the root', () => {
    const { t } = openRoot();
    createIdempotency(t, {
      store: memoryStore(),
      acceptLoss: true,
      scope: (ctx, { path }) => {
        expectTypeOf(ctx).toEqualTypeOf<Context>();
        expectTypeOf(path).toEqualTypeOf<string>();
        return ctx.user?.id ?? 'nobody';
      },
    });
  });

  test('with the type of an authenticated context does not compile before authentication', () => {
    const { once, t, authed } = openTrpc();
    const guard = once.guard({ effect: 'external' });
    authed.use(guard).mutation(() => 1);
    // @ts-expect-error: `user` may still be null here
    t.procedure.use(guard).mutation(() => 1);
  });

  test('is not optional', () => {
    const { t } = openRoot();
    // @ts-expect-error: users could read each other's answers
    expect(() => createIdempotency(t, { store: memoryStore() })).toThrow(/`scope`/);
  });
});

describe('a guard', () => {
  test('twice does not compile', () => {
    const { once, authed } = openTrpc();
    const guard = once.guard({ effect: 'external' });
    const guarded = authed.use(guard);
    // @ts-expect-error: ctx.idempotency is no longer the keys of the request
    guarded.use(guard).mutation(() => 1);
  });

  test('without `idempotency` in the context does not compile', () => {
    const t = initTRPC.context<{ user: User }>().create({
      errorFormatter: idempotencyErrorFormatter(),
    });
    const options = { store: memoryStore(), acceptLoss: true };
    const once = createIdempotency(t, { ...options, scope: ({ user }) => user.id });
    // @ts-expect-error: createContext must return `idempotency: incomingKeys(options)`
    t.procedure.use(once.guard({ effect: 'external' })).mutation(() => 1);
    // @ts-expect-error: the same goes for what takes keys out of inputs
    t.procedure.use(once.unwrap).mutation(() => 1);
  });

  test('gets errors to classify as a TRPCError', () => {
    const { once } = openTrpc();
    once.guard({
      effect: 'external',
      classifyError: (error) => {
        expectTypeOf(error).toEqualTypeOf<TRPCError>();
        return error.code === 'TIMEOUT' ? 'release' : undefined;
      },
    });
    // @ts-expect-error: there is no such class
    once.guard({ effect: 'external', classifyError: () => 'ignore' });
    // @ts-expect-error: the path of the procedure is the operation
    once.guard({ effect: 'external', operation: 'pay' });
  });
});

describe('an error on the client', () => {
  test('has why it was refused, as a union over its code', () => {
    const { t, authed } = openRoot();
    const router = t.router({ pay: authed.mutation(() => 1) });
    expect(router._def.procedures).toHaveProperty('pay');
    type Refusal = inferRouterError<typeof router>['data']['idempotency'];
    expectTypeOf<NonNullable<Refusal>['code']>().toEqualTypeOf<ErrorCode>();
    expectTypeOf<Extract<Refusal, null>>().toEqualTypeOf<null>();
    expectTypeOf<Extract<Refusal, { code: 'IDEMPOTENCY_IN_PROGRESS' }>['details']>().toExtend<{
      retryAfterMs: number;
    }>();

    const client = createTRPCClient<typeof router>({
      links: [httpLink({ url: 'http://localhost', transformer: superjson })],
    });
    expectTypeOf(client.pay.mutate).returns.resolves.toEqualTypeOf<number>();
    const error = new TRPCClientError<typeof router>('no');
    const refusal = error.data?.idempotency;
    if (refusal?.code === 'IDEMPOTENCY_KEY_REUSED') {
      expectTypeOf(refusal.details.operation).toEqualTypeOf<string>();
    }
    expectTypeOf(error.data?.httpStatus).toEqualTypeOf<number | undefined>();
  });

  test("has the application's own fields, too", () => {
    const t = initTRPC.context<Context>().create({
      errorFormatter: idempotencyErrorFormatter(({ shape, error }) => ({
        ...shape,
        data: { ...shape.data, zod: error.cause instanceof z.ZodError ? 'zod' : null, build: 7 },
      })),
    });
    const options = { store: memoryStore(), scope: () => 'alice' };
    expect(() => createIdempotency(t, options)).not.toThrow();
    type Data = (typeof t)['_config']['$types']['errorShape']['data'];
    expectTypeOf<Data['zod']>().toEqualTypeOf<string | null>();
    expectTypeOf<Data['build']>().toEqualTypeOf<number>();
    expectTypeOf<Data['code']>().toEqualTypeOf<TRPCError['code']>();
    expectTypeOf<NonNullable<Data['idempotency']>['code']>().toEqualTypeOf<ErrorCode>();
  });
});
