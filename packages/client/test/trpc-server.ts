import { IdempotencyError } from '@onceward/core';
import { initTRPC, TRPCError } from '@trpc/server';
import { createHTTPHandler } from '@trpc/server/adapters/standalone';
import { applyWSSHandler } from '@trpc/server/adapters/ws';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

/** One call of a procedure, as the server saw it. */
export interface Call {
  readonly path: string;
  readonly input: unknown;
  /** From `Idempotency-Key`, or by index from `trpc-idempotency-keys`. */
  readonly key: string | undefined;
}

/** What becomes of one HTTP request, instead of tRPC's answer. */
export type Fault = (response: ServerResponse, request: IncomingMessage) => void;

/** What a procedure answers, or throws. */
export type Answer = (call: Call) => unknown;

export interface TrpcScript {
  /** For one HTTP request after another; `undefined` and all further ones reach tRPC. */
  readonly faults?: readonly (Fault | undefined)[];
  /** For one call after another; the last one repeats. */
  readonly answers?: readonly Answer[];
  readonly responseHeaders?: Record<string, string>;
}

export type TrpcServer = Awaited<ReturnType<typeof openTrpcServer>>;
export type AppRouter = ReturnType<typeof createRouter>;

export const paid: Answer = ({ input }) => ({ paid: input });

/** Answers with a code of the table, as `@onceward/server` does. */
export function refuse(error: IdempotencyError, code: TRPCError['code'] = 'CONFLICT'): Answer {
  return () => {
    throw new TRPCError({ code, message: error.message, cause: error });
  };
}

/** Answers with an error of the application. */
export function fail(code: TRPCError['code'], message: string = code): Answer {
  return () => {
    throw new TRPCError({ code, message });
  };
}

/** A tRPC server on the loopback interface, over HTTP and WebSocket, that follows a script. */
export async function openTrpcServer({
  faults = [],
  answers = [paid],
  responseHeaders = {},
}: TrpcScript = {}) {
  const calls: Call[] = [];
  const requests: { url: string; headers: IncomingMessage['headers'] }[] = [];
  const router = createRouter((call) => {
    calls.push(call);
    return answers[Math.min(calls.length, answers.length) - 1]?.(call);
  });
  const handle = createHTTPHandler({
    router,
    createContext: ({ req }) => ({ headers: req.headers }),
    responseMeta: () => ({ headers: new Headers(responseHeaders) }),
  });
  const server = createServer((request, response) => {
    requests.push({ url: request.url ?? '', headers: request.headers });
    const fault = faults[requests.length - 1];
    if (!fault) return handle(request, response);
    // Not before all of it has arrived: a client that still writes would see another error.
    request.resume().on('end', () => fault(response, request));
  });
  const sockets = new WebSocketServer({ server });
  const upgraded = applyWSSHandler({
    wss: sockets,
    router,
    createContext: () => ({ headers: {} }),
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    socketUrl: `ws://127.0.0.1:${port}`,
    router,
    calls,
    requests,
    sockets,
    upgraded,
    /** The keys of the calls, in order of arrival. */
    keys: () => calls.map(({ key }) => key),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

interface Context {
  readonly headers: IncomingMessage['headers'];
}

const t = initTRPC.context<Context>().create({
  isDev: false,
  errorFormatter: ({ shape, error: { cause } }) => ({
    ...shape,
    data: {
      ...shape.data,
      idempotency: IdempotencyError.is(cause) ? cause.toJSON() : undefined,
    },
  }),
});

function createRouter(answer: Answer) {
  const procedure = t.procedure.input((input) => input as Record<string, unknown> | undefined);
  const mutation = procedure.mutation(({ path, input, ctx, batchIndex }) =>
    answer({ path, input, key: keyOf(ctx, batchIndex) }),
  );
  return t.router({
    pay: mutation,
    cancel: mutation,
    upload: t.procedure
      .input((input) => input as FormData)
      .mutation(({ path, input, ctx, batchIndex }) =>
        answer({ path, input, key: keyOf(ctx, batchIndex) }),
      ),
    balance: t.procedure.query(({ path, ctx, batchIndex }) =>
      answer({ path, input: undefined, key: keyOf(ctx, batchIndex) }),
    ),
  });
}

function keyOf({ headers }: Context, batchIndex = 0): string | undefined {
  const single = headers['idempotency-key'];
  const several = headers['trpc-idempotency-keys'];
  if (typeof several !== 'string') return single as string | undefined;
  return (JSON.parse(several) as Record<number, string>)[batchIndex];
}
