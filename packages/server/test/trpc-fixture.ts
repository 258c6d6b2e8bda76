import { createKeyMinter, headerNames, type IdempotencyKey } from '@onceward/core';
import {
  type AnyTRPCRouter,
  initTRPC,
  type TRPCDataTransformer,
  type TRPCDefaultErrorShape,
  TRPCError,
  type TRPCErrorFormatter,
} from '@trpc/server';
import { type FetchHandlerRequestOptions, fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { failingStore } from '../../../test/support/failing-store.ts';
import { createVirtualClock } from '../../../test/support/virtual-clock.ts';
import { type EngineEvent, type EngineOptions, memoryStore } from '../src/index.ts';
import {
  createIdempotency,
  idempotencyErrorFormatter,
  idempotencyResponseMeta,
  incomingKeys,
  type IncomingKeys,
  type KeySource,
} from '../src/trpc/index.ts';

export interface User {
  readonly id: string;
}

/** As an application has it: nobody is signed in until a procedure says so. */
export interface Context {
  readonly user: User | null;
  readonly idempotency: IncomingKeys;
}

export interface TrpcOptions extends Partial<EngineOptions<never>> {
  transformer?: TRPCDataTransformer;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  formatter?: TRPCErrorFormatter<any, TRPCDefaultErrorShape>;
  isDev?: boolean;
  keyHeader?: 'strict' | 'lenient';
}

/** A root with idempotency, on a memory store whose clock the test moves and whose line it cuts. */
export function openTrpc(options: TrpcOptions = {}) {
  const { transformer, formatter, isDev = false, keyHeader = 'lenient', ...engine } = options;
  const clock = createVirtualClock();
  const line = failingStore(memoryStore({ now: () => clock.now() }));
  const events: EngineEvent[] = [];
  const t = initTRPC.context<Context>().create({
    ...(transformer && { transformer }),
    isDev,
    errorFormatter: idempotencyErrorFormatter(formatter),
  });
  const once = createIdempotency(t, {
    store: line.store,
    acceptLoss: true,
    clock,
    hooks: { onEvent: (event) => void events.push(event) },
    keyHeader,
    scope: (ctx: { user: User }) => ctx.user.id,
    ...engine,
  });
  const authed = t.procedure.use(({ ctx: { user }, next }) => {
    if (!user) throw new TRPCError({ code: 'UNAUTHORIZED' });
    return next({ ctx: { user } });
  });
  const newKey = createKeyMinter({ now: () => clock.now() });
  return { t, once, authed, clock, line, events, newKey };
}

/** One request. */
export interface Sent {
  /** Goes into `Idempotency-Key`, quoted. */
  key?: IdempotencyKey;
  /** Go into `trpc-idempotency-keys`, by batch index. */
  keys?: Readonly<Record<number, unknown>>;
  headers?: Readonly<Record<string, string>>;
  /** As JSON, already as the transformer writes it; of a batch, a list. */
  input?: unknown;
  /** Instead of `input`, as it is. */
  body?: BodyInit;
  /** `null`: nobody. */
  user?: string | null;
  signal?: AbortSignal;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** What went over the wire, byte by byte. */
  readonly text: string;
  /** The parsed text. Without a type: every test looks at something else. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly json: any;
}

export type Send = (path: string, sent?: Sent) => Promise<Answer>;

type HandlerOptions = Partial<FetchHandlerRequestOptions<AnyTRPCRouter>>;

/**
 * Serves a router through tRPC's own adapter for `Request` and `Response`.
 *
 * A path with a comma is a batch.
 */
export function serve(router: AnyTRPCRouter, options: HandlerOptions = {}): Send {
  const handle = handlerOf(router, options);
  return async (path, sent = {}) => {
    const batch = path.includes(',');
    const input = batch ? { ...(sent.input as unknown[]) } : (sent.input ?? {});
    const headers = headersOf(sent);
    if (sent.body === undefined) headers.set('content-type', 'application/json');
    const request = {
      method: 'POST',
      headers,
      body: sent.body ?? JSON.stringify(input),
      ...(sent.signal && { signal: sent.signal }),
    };
    return answerOf(await handle(`http://localhost/${path}${batch ? '?batch=1' : ''}`, request));
  };
}

/** The same as a `fetch` for tRPC's links. */
export function handlerOf(router: AnyTRPCRouter, options: HandlerOptions = {}) {
  return (url: string | URL | Request, init?: object): Promise<Response> =>
    fetchRequestHandler({
      endpoint: '',
      router,
      createContext: (source) => contextOf(source),
      responseMeta: idempotencyResponseMeta(),
      ...options,
      req: new Request(url, init),
    });
}

/** The context for a request whose `x-user` says who sends it. */
export function contextOf(source: KeySource): Context {
  const id = headerOf(source, 'x-user');
  return { user: id ? { id } : null, idempotency: incomingKeys(source) };
}

export function headersOf({ key, keys, headers, user = 'alice' }: Sent): Headers {
  const all = new Headers(headers);
  if (key) all.set(headerNames.key, `"${key}"`);
  if (keys) all.set(headerNames.trpcKeys, JSON.stringify(keys));
  if (user) all.set('x-user', user);
  return all;
}

export async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const { status, headers } = response;
  return { status, headers, text, json: isJson(text) ? JSON.parse(text) : undefined };
}

/** What a refusal looks like on the wire. */
export function refusal(httpStatus: number, code: string, details: object = {}) {
  return {
    status: httpStatus,
    json: { error: { data: { httpStatus, idempotency: { code, details } } } },
  };
}

/** Counts how often a handler ran, and returns the number. */
export function counter() {
  let runs = 0;
  const run = () => ++runs;
  return Object.assign(run, { runs: () => runs });
}

function headerOf({ req, headers = req?.headers }: KeySource, name: string): string | undefined {
  if (headers && typeof headers.get === 'function') return headers.get(name) ?? undefined;
  return (headers as Record<string, string> | undefined)?.[name];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
