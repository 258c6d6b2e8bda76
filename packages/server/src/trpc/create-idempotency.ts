import { followIntents, type KeyHeaderSyntax } from '@onceward/core';
import type { Effect } from '../effect.ts';
import { createEngine, type EffectOn, type Engine, type Mutation } from '../engine.ts';
import type { EngineOptions } from '../options/engine-options.ts';
import { oneOf } from '../options/check-option.ts';
import { type AuditOptions, auditRouter, type RouterAudit } from './audit.ts';
import { createGuard, type Guard, type GuardOptions, type GuardTools } from './guard.ts';
import { mutationsOf } from './mutations-of.ts';
import type { AuditedRouter } from './procedures-of.ts';
import { checkRoot, type ContextOf, type TrpcRoot } from './trpc-config.ts';
import { type Unwrap, unwrap } from './unwrap.ts';
import { wireCodec } from './wire-codec.ts';

/** What `createIdempotency` needs besides the root: who calls, and all that an engine takes. */
export interface IdempotencyOptions<Context, Transaction> extends EngineOptions<Transaction> {
  /**
   * Who calls: the id of the tenant or user, from authentication, never from the input. Keys and
   * answers of one scope are invisible to all others.
   *
   * Annotate its parameter with what your authenticated procedures have, and a guard that comes
   * before the authentication does not compile.
   */
  scope: (context: Context, call: ScopeCall) => string | readonly string[];
  /** `strict` refuses an `Idempotency-Key` without quotes. @defaultValue `'lenient'` */
  keyHeader?: KeyHeaderSyntax;
}

/** The call that a scope is asked for. */
export interface ScopeCall {
  readonly path: string;
}

/** Makes the mutations of a tRPC application happen once per key. */
export interface Idempotency<Context, Transaction> {
  /**
   * A middleware that runs what comes after it once per key. Put it after the one that
   * authenticates, and after `.input()`, so that what is not valid never takes a key.
   *
   * Throws when what it declares could duplicate an effect.
   */
  guard<DeclaredEffect extends EffectOn<Transaction>>(
    options: GuardOptions<DeclaredEffect>,
  ): Guard<Context, DeclaredEffect, Transaction>;
  /**
   * For clients that have no headers to send a key in: takes it out of the input. Belongs into
   * the procedure that all others are made of, before `.input()`.
   */
  readonly unwrap: Unwrap;
  /** Lists what the mutations of a router declare; with `require: 'all'`, refuses the others. */
  audit(router: AuditedRouter, options?: AuditOptions): Promise<RouterAudit>;
  /**
   * The guarded mutations of a router by their paths: to settle unknown outcomes from a webhook, and
   * for a reconciler.
   */
  mutationsOf(router: AuditedRouter): Promise<ReadonlyMap<string, Mutation<Effect, unknown>>>;
  /** For what is no procedure: start-up checks, maintenance. */
  readonly engine: Engine<Transaction>;
}

/**
 * Adds idempotency to a tRPC root.
 *
 * @example
 * ```ts
 * const t = initTRPC.context<Context>().create({ errorFormatter: idempotencyErrorFormatter() });
 * const once = createIdempotency(t, { store: postgresStore(pool), scope: (ctx) => ctx.user.id });
 *
 * const pay = authed.input(Payment).use(once.guard({ effect: 'atomic' }))
 *   .mutation(({ ctx, input }) => ctx.idempotency.tx.query('insert into payments …'));
 * ```
 */
export function createIdempotency<
  Root extends TrpcRoot,
  Transaction = never,
  Context = ContextOf<Root>,
>(
  t: Root,
  { scope, keyHeader = 'lenient', ...engineOptions }: IdempotencyOptions<Context, Transaction>,
): Idempotency<Context, Transaction> {
  const config = checkRoot(t);
  if (typeof scope !== 'function') {
    throw new TypeError('Expected `scope` to be a function that tells who calls');
  }
  const engine = createEngine(engineOptions);
  const codec = wireCodec(config);
  const tools: GuardTools<Context> = {
    config,
    snapshot: (value) => codec.snapshot(value),
    scope,
    keySyntax: {
      syntax: oneOf('keyHeader', keyHeader, ['strict', 'lenient']),
      format: engineOptions.keyFormat ?? 'uuid-v7',
    },
    profile: engineOptions.profile ?? 'ietf',
    declare: (options) => (engine as Engine<unknown>).mutation({ ...options, codec }),
  };
  return {
    engine,
    get unwrap() {
      // Whose procedures begin with it, may call them inside a guarded mutation.
      followIntents();
      return unwrap;
    },
    audit: auditRouter,
    mutationsOf,
    guard: <DeclaredEffect extends EffectOn<Transaction>>(options: GuardOptions<DeclaredEffect>) =>
      // The store hands out the transaction, and the effect decides what the handler gets.
      createGuard(options, tools),
  };
}
