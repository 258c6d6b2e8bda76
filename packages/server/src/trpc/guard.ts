import { followIntents } from '@onceward/core';
import type { AnyTRPCMiddlewareFunction, TRPCError, TRPCMiddlewareFunction } from '@trpc/server';
import type { AttemptContext } from '../attempts/attempt-context.ts';
import type { Effect, ErrorClass } from '../effect.ts';
import type { Mutation } from '../engine.ts';
import type { IntentResult } from '../run-intent.ts';
import type { MutationOptions } from '../options/mutation-options.ts';
import { answeredCopy } from './answered-error.ts';
import { classifyTrpcError, type ErrorPolicy } from './classify-trpc-error.ts';
import { declareGuard } from './declaration.ts';
import { IncomingKeys } from './incoming-keys.ts';
import type { KeySyntax } from '../incoming/read-key.ts';
import { nestedKey } from './nested-key.ts';
import { refuseMisuse } from './refuse-misuse.ts';
import type { TrpcConfig } from './trpc-config.ts';
import { refusedInside, toTrpcError } from './trpc-error.ts';
import { wireInput } from './wire-input.ts';

/** What a guarded mutation declares. Everything but its effect has a safe default. */
export interface GuardOptions<DeclaredEffect extends Effect = Effect> extends Omit<
  MutationOptions<DeclaredEffect>,
  'operation' | 'codec' | 'key' | 'classifyError'
> {
  /**
   * `false`: without a key the mutation is executed unprotected.
   * @defaultValue `true`
   */
  required?: boolean;
  /**
   * Decides what an error of the procedure means; `undefined` leaves it to the default: a
   * `TRPCError` whose code is an answer, such as `NOT_FOUND` or `CONFLICT`, is stored and replayed;
   * all others, `UNAUTHORIZED` and `TOO_MANY_REQUESTS` among them, follow the effect.
   *
   * What was not thrown as a `TRPCError` is the `cause` of one.
   */
  classifyError?: (error: TRPCError) => ErrorClass | undefined;
}

/** A middleware that runs what comes after it once per key, and adds `ctx.idempotency`. */
export type Guard<Context, DeclaredEffect extends Effect, Transaction> = (
  options: GuardedCall<Context>,
) => ReturnType<
  TRPCMiddlewareFunction<
    unknown,
    unknown,
    unknown,
    { idempotency: AttemptContext<DeclaredEffect, Transaction> },
    unknown
  >
>;

/** What every guard of an application shares. */
export interface GuardTools<Context> {
  readonly config: TrpcConfig;
  /** What is both sent and stored of a value: nobody can change it in between. */
  readonly snapshot: (value: unknown) => unknown;
  readonly keySyntax: KeySyntax;
  readonly profile: ErrorPolicy['profile'];
  readonly scope: (context: Context, call: { path: string }) => string | readonly string[];
  /** Declares the mutation at a path. Throws when what it declares could duplicate an effect. */
  readonly declare: (options: MutationOptions) => Mutation<Effect, unknown>;
}

/** Makes the middleware. What it declares is checked now, not when the first client calls. */
export function createGuard<Context>(
  options: GuardOptions,
  tools: GuardTools<Context>,
): Guard<Context, Effect, unknown> {
  const { required = true, classifyError: own, select, ...declared } = options;
  const policy: ErrorPolicy = { effect: options.effect, profile: tools.profile, own };
  // The engine asks about what is thrown at it: these were judged before they were copied.
  const answers = new WeakSet<object>();
  const classifyError = (error: unknown) =>
    answers.has(error as object) ? 'store' : classifyTrpcError(error as TRPCError, policy);
  const declare = (operation: string) =>
    tools.declare({
      ...declared,
      operation,
      classifyError,
      key: required ? 'required' : 'optional',
    });
  declare('guard');
  // A call inside a guarded mutation would otherwise be one that has no key, and be executed.
  if (!required) followIntents();

  const mutations = new Map<string, Mutation<Effect, unknown>>();
  const mutationAt = (path: string) => {
    const mutation = mutations.get(path) ?? declare(path);
    mutations.set(path, mutation);
    return mutation;
  };

  const guard: Guard<Context, Effect, unknown> = async (call) => {
    const keys = IncomingKeys.is(call.ctx.idempotency) ? call.ctx.idempotency : undefined;
    try {
      let input: unknown;
      try {
        input = await call.getRawInput();
      } catch (error) {
        if (isNeeded(call, keys)) throw error;
      }
      refuseMisuse(call, input);
      const intent = {
        scope: tools.scope(call.ctx, { path: call.path }),
        key: keyOf(call, keys, tools.keySyntax),
        input: wireInput(select ? select(input) : input, tools.config),
      };
      let ran: Ran | undefined;
      const result = await mutationAt(call.path).resultOnce(intent, async (attempt) => {
        ran = await call.next({ ctx: { idempotency: attempt } });
        if (ran.ok) {
          ran = { ...ran, data: tools.snapshot(ran.data) };
          return ran.data;
        }
        const error = refusedInside(ran.error);
        if (classifyError(error) !== 'store') throw error;
        const { path, ctx } = call;
        const answer = answeredCopy(error, { path, input, ctx }, tools.config);
        answers.add(answer);
        throw answer;
      });
      const { replayed, answerExpiresAt } = result;
      keys?.report(call.getRawInput, { replayed, answerExpiresAt });
      return resultOf(result, ran);
    } catch (error) {
      throw toTrpcError(error, call.path);
    }
  };
  return declareGuard(guard, { effect: options.effect, mutationAt });
}

interface GuardedCall<Context> {
  readonly ctx: Context & { readonly idempotency: IncomingKeys };
  readonly type: string;
  readonly path: string;
  readonly getRawInput: () => Promise<unknown>;
  readonly next: Next;
}

type Ran = Awaited<ReturnType<AnyTRPCMiddlewareFunction>>;

/** tRPC's own `next` is generic in what it adds; this is the one way in which it is called. */
type Next = (options: { ctx: { idempotency: unknown } }) => Promise<Ran>;

/**
 * tRPC's own links send no body where there is no input, and tRPC fails to read it as JSON only
 * where a parser asks for it.
 */
function isNeeded({ getRawInput }: GuardedCall<unknown>, keys: IncomingKeys | undefined): boolean {
  return !keys || keys.parsesInput(getRawInput);
}

/**
 * The key that was sent for this very call, or, inside another guarded mutation, one derived from
 * that one's. Never the key of the call around it.
 */
function keyOf(
  { getRawInput, path }: GuardedCall<unknown>,
  keys: IncomingKeys | undefined,
  syntax: KeySyntax,
): string | undefined {
  return keys?.keyOf(getRawInput, syntax) ?? nestedKey(getRawInput, path);
}

function resultOf({ result, replayed }: IntentResult, ran: Ran | undefined): Ran {
  if (result.kind === 'failure') throw result.error;
  if (ran && !replayed) return ran;
  return { ok: true, data: result.value, marker };
}

/** tRPC gives no public way to answer instead of `next()`; it is all that `next()` returns. */
const marker = 'middlewareMarker' as Ran['marker'];
