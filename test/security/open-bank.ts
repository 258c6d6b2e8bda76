import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { formatKeyHeader, type IdempotencyKey } from '@onceward/core';
import type { Store } from '@onceward/core/store';
import { type EngineEvent, type EngineOptions, memoryStore } from '@onceward/server';
import {
  createIdempotency,
  idempotencyErrorFormatter,
  idempotencyResponseMeta,
  incomingKeys,
  type IncomingKeys,
} from '@onceward/server/trpc';
import { initTRPC, TRPCError } from '@trpc/server';
import { createHTTPServer } from '@trpc/server/adapters/standalone';
import { failingStore, type FailingStore } from '../support/failing-store.ts';

/** A tRPC server on a port, with people who may or may not use it. */
export interface Bank extends AsyncDisposable {
  readonly url: string;
  /** What was executed, in order. */
  readonly ledger: Call[];
  readonly events: EngineEvent[];
  /** The line to the store: what went over it, and how to cut it. */
  readonly line: FailingStore;
  /** Who may still do anything. Taking somebody out is what revoking a right is. */
  readonly allowed: Set<string>;
  /** What the handlers do, after the call is in the ledger. */
  handle: (call: Call) => unknown;
  /** Sends one mutation over HTTP. */
  send(sent: Sent): Promise<Answer>;
}

/** One execution. */
export interface Call {
  readonly user: string;
  readonly operation: string;
  readonly input: unknown;
  readonly key: IdempotencyKey;
  /** Sets a header of this response. */
  setHeader(name: string, value: string): void;
}

/** A request; what is left out is what an honest client sends. */
export interface Sent {
  readonly user?: string | null;
  readonly key?: IdempotencyKey;
  /** @defaultValue `pay` */
  readonly operation?: string;
  readonly input?: unknown;
  /** Instead of `input`, byte for byte. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly json: any;
}

export interface BankOptions extends Partial<EngineOptions<never>> {
  readonly store?: Store;
  readonly maxBodySize?: number;
}

interface Context {
  readonly user: string | null;
  readonly idempotency: IncomingKeys;
  setHeader(name: string, value: string): void;
}

/** Opens a bank whose mutations `pay` and `refund` are `external`. */
export async function openBank({
  store = memoryStore(),
  maxBodySize = 1_000_000,
  hooks,
  ...engine
}: BankOptions = {}): Promise<Bank> {
  const events: EngineEvent[] = [];
  const ledger: Call[] = [];
  const allowed = new Set(['alice', 'bob', 'mallory']);
  const line = failingStore(store);
  const t = initTRPC.context<Context>().create({
    isDev: false,
    errorFormatter: idempotencyErrorFormatter(),
  });
  const guards = createIdempotency(t, {
    store: line.store,
    acceptLoss: true,
    scope: (ctx: { user: string }) => ctx.user,
    hooks: { onEvent: (event) => void events.push(event), ...hooks },
    ...engine,
  });
  const mutation = t.procedure
    .use(({ ctx: { user }, next }) => {
      if (user === null) throw new TRPCError({ code: 'UNAUTHORIZED' });
      if (!allowed.has(user)) throw new TRPCError({ code: 'FORBIDDEN' });
      return next({ ctx: { user } });
    })
    .input((input: unknown) => input)
    .use(guards.guard({ effect: 'external' }))
    .mutation(async ({ ctx, input, path }) => {
      const { user, setHeader } = ctx;
      const call = { user, operation: path, input, key: ctx.idempotency.key, setHeader };
      ledger.push(call);
      return bank.handle(call);
    });
  const server = createHTTPServer({
    router: t.router({ pay: mutation, refund: mutation }),
    createContext: (source): Context => ({
      user: /^Bearer (\w+)$/.exec(source.req.headers.authorization ?? '')?.[1] ?? null,
      idempotency: incomingKeys(source),
      setHeader: (name, value) => void source.res.setHeader(name, value),
    }),
    responseMeta: idempotencyResponseMeta(),
    maxBodySize,
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const bank: Bank = {
    url,
    ledger,
    events,
    line,
    allowed,
    handle: ({ user }) => ({ receiptOf: user, number: ledger.length }),
    send: (sent) => send(url, sent),
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
  return bank;
}

async function send(
  url: string,
  { user = 'alice', key, operation = 'pay', input = { cents: 1 }, body, headers }: Sent,
): Promise<Answer> {
  const response = await fetch(`${url}/${operation}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(user && { authorization: `Bearer ${user}` }),
      ...(key && { 'idempotency-key': formatKeyHeader(key) }),
      ...headers,
    },
    body: body ?? JSON.stringify(input),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The code of a refusal, if it is one of ours. */
export function codeOf({ json }: Answer): string | undefined {
  return json?.error?.data?.idempotency?.code;
}
