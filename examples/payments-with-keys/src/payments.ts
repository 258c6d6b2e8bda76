import type { RequestListener } from 'node:http';
import { postgresStore } from '@onceward/postgres';
import { createMaintenance, type EngineOptions } from '@onceward/server';
import {
  createIdempotency,
  idempotencyErrorFormatter,
  idempotencyResponseMeta,
  type IncomingKeys,
  incomingKeys,
} from '@onceward/server/trpc';
import { initTRPC } from '@trpc/server';
import { createHTTPHandler } from '@trpc/server/adapters/standalone';
import type pg from 'pg';
import { z } from 'zod';
import type { Charge } from './provider.ts';

export interface PaymentsOptions extends Omit<EngineOptions<never>, 'store'> {
  readonly pool: pg.Pool;
  readonly providerUrl: string;
}

/** A server that takes payments. Any number of them may share the database. */
export function createPayments({ pool, providerUrl, ...engine }: PaymentsOptions) {
  const t = initTRPC
    .context<{ idempotency: IncomingKeys }>()
    .create({ errorFormatter: idempotencyErrorFormatter() });
  const store = postgresStore(pool);
  // Nobody signs in here. In an application the scope is the id of whoever did.
  const once = createIdempotency(t, { ...engine, store, scope: () => 'shop' });

  const router = t.router({
    pay: t.procedure
      .input(z.object({ orderId: z.string(), cents: z.int().positive() }))
      .use(once.guard({ effect: 'steps' }))
      .mutation(async ({ ctx: { idempotency }, input }) => {
        // A server that died before it knew of the charge asks again, under the same key.
        const charge = await idempotency.step('charge', ({ downstreamKey, signal }) =>
          send(providerUrl, { ...input, key: downstreamKey, signal }),
        );
        return { chargeId: charge.id };
      }),
  });
  const listener: RequestListener = createHTTPHandler({
    router,
    createContext: (request) => ({ idempotency: incomingKeys(request) }),
    responseMeta: idempotencyResponseMeta(),
  });
  return { listener, start: () => createMaintenance({ store }).start() };
}

interface Payment {
  readonly orderId: string;
  readonly cents: number;
  readonly key: string;
  readonly signal: AbortSignal;
}

async function send(url: string, { orderId, cents, key, signal }: Payment): Promise<Charge> {
  const response = await fetch(`${url}/charges`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ orderId, cents }),
    signal,
  });
  if (!response.ok) throw new Error(`The provider answered ${response.status}`);
  return (await response.json()) as Charge;
}
