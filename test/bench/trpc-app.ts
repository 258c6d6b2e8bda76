import { hash } from 'node:crypto';
import { memoryStore } from '@onceward/server';
import {
  createIdempotency,
  idempotencyErrorFormatter,
  idempotencyResponseMeta,
  incomingKeys,
  type IncomingKeys,
} from '@onceward/server/trpc';
import { initTRPC } from '@trpc/server';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { createHTTPHandler } from '@trpc/server/adapters/standalone';
import { z } from 'zod';
import { type BenchApp, pay, type Protection } from './bench-app.ts';
import { payment } from './bench-requests.ts';

/** tRPC with a schema of its input, as the documentation begins. */
export function trpcApp(protection: Protection): BenchApp {
  switch (protection) {
    case 'none':
      return plainApp();
    case 'bare':
      return bareApp();
    case 'onceward':
      return guardedApp();
  }
}

function plainApp(): BenchApp {
  const t = initTRPC.create();
  const router = t.router({
    pay: t.procedure.input(paymentInput).mutation(({ input }) => pay(input)),
    payment: t.procedure.input(z.string()).query(() => pay(payment)),
  });
  return {
    fetch: (url, init) =>
      fetchRequestHandler({ endpoint: '', router, req: new Request(url, init) }),
    listener: createHTTPHandler({ router }),
  };
}

function guardedApp(): BenchApp {
  const t = initTRPC
    .context<{ idempotency: IncomingKeys }>()
    .create({ errorFormatter: idempotencyErrorFormatter() });
  const once = createIdempotency(t, {
    store: memoryStore(),
    acceptLoss: true,
    scope: () => 'alice',
  });
  const router = t.router({
    pay: t.procedure
      .input(paymentInput)
      .use(once.guard({ effect: 'external' }))
      .mutation(({ input }) => pay(input)),
    payment: t.procedure.input(z.string()).query(() => pay(payment)),
  });
  const responseMeta = idempotencyResponseMeta();
  return {
    fetch: (url, init) =>
      fetchRequestHandler({
        endpoint: '',
        router,
        req: new Request(url, init),
        createContext: (options) => ({ idempotency: incomingKeys(options) }),
        responseMeta,
      }),
    listener: createHTTPHandler({
      router,
      createContext: (options) => ({ idempotency: incomingKeys(options) }),
      responseMeta,
    }),
  };
}

/**
 * The least that a middleware of this kind does: see `bare-idempotency.ts`. It needs what any needs
 * that answers by header: a middleware, a context and a `responseMeta`.
 */
function bareApp(): BenchApp {
  const t = initTRPC.context<{ bare: BareCall }>().create();
  const records = new Map<string, { readonly fingerprint: string; answer?: Buffer }>();
  const once = t.middleware(async ({ ctx, path, getRawInput, next }) => {
    const { key } = ctx.bare;
    if (key === undefined) return next();
    const text = JSON.stringify([path, await getRawInput()]);
    const record = { fingerprint: hash('sha256', hash('sha256', text)), answer: Buffer.alloc(0) };
    records.set(key, record);
    const result = await next({ ctx: { attempt: 1 } });
    if (result.ok) record.answer = Buffer.from(JSON.stringify(result.data));
    ctx.bare.expiresAt = Date.now() + 86_400_000;
    return result;
  });
  const router = t.router({
    pay: t.procedure
      .input(paymentInput)
      .use(once)
      .mutation(({ input }) => pay(input)),
    payment: t.procedure.input(z.string()).query(() => pay(payment)),
  });
  const responseMeta = ({ ctx }: { ctx?: { bare: BareCall } | undefined }) =>
    ctx?.bare.expiresAt
      ? { headers: { 'idempotency-expires': new Date(ctx.bare.expiresAt).toUTCString() } }
      : {};
  return {
    fetch: (url, init) =>
      fetchRequestHandler({
        endpoint: '',
        router,
        req: new Request(url, init),
        createContext: ({ req }) => ({ bare: { key: req.headers.get(keyHeader) ?? undefined } }),
        responseMeta,
      }),
    listener: createHTTPHandler({
      router,
      createContext: ({ req }) => ({ bare: { key: String(req.headers[keyHeader]) } }),
      responseMeta,
    }),
  };
}

interface BareCall {
  readonly key: string | undefined;
  expiresAt?: number;
}

const keyHeader = 'idempotency-key';

const paymentInput = z.object({
  to: z.string(),
  cents: z.number().int(),
  currency: z.string(),
  note: z.string().optional(),
});
