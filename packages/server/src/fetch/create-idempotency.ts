import type { KeyHeaderSyntax } from '@onceward/core';
import type { AttemptContext } from '../attempts/attempt-context.ts';
import type { Effect, ErrorClass } from '../effect.ts';
import { createEngine, type EffectOn, type Engine, type Mutation } from '../engine.ts';
import { oneOf, positiveInteger } from '../options/check-option.ts';
import type { EngineOptions } from '../options/engine-options.ts';
import type { MutationOptions } from '../options/mutation-options.ts';
import { classifyFailure } from './response-failure.ts';
import { createRoute, type Route, type ScopeOf } from './route.ts';
import { responseCodec } from './stored-response.ts';

export interface IdempotencyOptions<
  Transaction,
  Rest extends readonly unknown[],
> extends EngineOptions<Transaction> {
  /**
   * Who calls: the id of the tenant or user, from authentication, never from the body. Keys and
   * answers of one scope are invisible to all others. What else the platform hands to a route comes
   * after the request.
   *
   * A `Response`, such as one with status 401, is sent instead.
   */
  scope: ScopeOf<Rest>;
  /** `strict` refuses an `Idempotency-Key` without quotes. @defaultValue `'lenient'` */
  keyHeader?: KeyHeaderSyntax;
  /** Longer bodies are refused with 413 before anything else. @defaultValue 1,048,576 */
  maxBodyBytes?: number;
  /**
   * Headers that belong to an answer and are replayed with it, besides those that describe its body
   * or say where to find what was made. `Set-Cookie` is not: a session is not to be given twice.
   * Whoever is answered first gets all headers.
   */
  replayHeaders?: readonly string[];
  /**
   * A page about errors: problems then have the `type` `…#IDEMPOTENCY_KEY_MISSING` and a `Link` to it.
   */
  docsUrl?: string;
}

export interface RouteOptions<
  DeclaredEffect extends Effect,
  Rest extends readonly unknown[],
> extends Omit<
  MutationOptions<DeclaredEffect>,
  'codec' | 'key' | 'select' | 'classifyError' | 'answerVersion' | 'decoders'
> {
  /**
   * `false`: without a key the request is executed unprotected.
   * @defaultValue `true`
   */
  required?: boolean;
  /**
   * What two requests with one key must agree on, as JSON. Read it from the copy of the request that
   * is given. Needed for `multipart/form-data`, whose boundary differs on every attempt.
   *
   * @defaultValue method, path, query, and the body: as JSON where it is JSON, byte by byte elsewhere
   */
  input?: (request: Request, ...rest: Rest) => unknown;
  /**
   * Decides what a response of 400 or more means; `undefined` leaves it to the default: those that
   * are answers, such as 404, 409 or 422, are stored and replayed; all others, 401, 429 and 500 among
   * them, follow the effect.
   */
  classifyResponse?: (response: { readonly status: number }) => ErrorClass | undefined;
}

/** Answers a request, once per key. What it is given besides the request is the attempt. */
export type RouteHandler<
  DeclaredEffect extends Effect,
  Transaction,
  Rest extends readonly unknown[],
> = (
  request: Request,
  attempt: AttemptContext<DeclaredEffect, Transaction>,
  ...rest: Rest
) => Response | Promise<Response>;

/** Makes routes of an HTTP application happen once per key. */
export interface Idempotency<Transaction, Rest extends readonly unknown[]> {
  /** A handler that runs the given one once per key. Throws when it could duplicate an effect. */
  route<DeclaredEffect extends EffectOn<Transaction>>(
    options: RouteOptions<DeclaredEffect, Rest>,
    handler: RouteHandler<DeclaredEffect, Transaction, Rest>,
  ): Route<Rest> & { readonly mutation: Mutation<DeclaredEffect, Transaction> };
  /** For what is no route: start-up checks, maintenance. */
  readonly engine: Engine<Transaction>;
}

/**
 * Adds idempotency to handlers of `Request` and `Response`.
 *
 * @example
 * ```ts
 * const once = createIdempotency({
 *   store: postgresStore(pool),
 *   scope: async (request) => (await sessionOf(request)).userId,
 * });
 *
 * export const POST = once.route({ operation: 'orders.create', effect: 'atomic' }, async (request, { tx }) => {
 *   const order = await createOrder(tx, await request.json());
 *   return Response.json(order, { status: 201 });
 * });
 * ```
 */
export function createIdempotency<Transaction = never, Rest extends readonly unknown[] = []>({
  scope,
  keyHeader = 'lenient',
  maxBodyBytes = 1_048_576,
  replayHeaders = [],
  docsUrl,
  ...engineOptions
}: IdempotencyOptions<Transaction, Rest>): Idempotency<Transaction, Rest> {
  if (typeof scope !== 'function') {
    throw new TypeError('Expected `scope` to be a function that tells who calls');
  }
  const tools = {
    scope,
    keySyntax: {
      syntax: oneOf('keyHeader', keyHeader, ['strict', 'lenient']),
      format: engineOptions.keyFormat ?? 'uuid-v7',
    },
    maxBodyBytes: positiveInteger('maxBodyBytes', maxBodyBytes),
    replayHeaders: new Set(replayHeaders.map((name) => name.toLowerCase())),
    docsUrl,
    profile: engineOptions.profile ?? 'ietf',
  };
  const engine = createEngine(engineOptions);
  return {
    engine,
    route(options, handler) {
      const { required = true, input, classifyResponse, ...declared } = options;
      const policy = { profile: tools.profile, own: classifyResponse };
      const mutation = engine.mutation({
        ...declared,
        key: required ? 'required' : 'optional',
        codec: responseCodec,
        classifyError: (error) => classifyFailure(error, policy),
      });
      const route = createRoute({ mutation, handler: handler as never, input, tools });
      return Object.assign(route, { mutation });
    },
  };
}
