import type { RequestListener } from 'node:http';
import { postgresStore } from '@onceward/postgres';
import {
  createMaintenance,
  createReconciler,
  type EngineOptions,
  type ReconcilerOptions,
} from '@onceward/server';
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
  /** How long a charge can still be on its way after the server that asked for it was given up. */
  readonly quietMs: number;
  /** How often, and for how long at most, the provider is asked about unknown outcomes. */
  readonly looking?: Pick<ReconcilerOptions, 'everyMs' | 'firstDelayMs' | 'lookMs'>;
}

/** A server that takes payments. Any number of them may share the database. */
export async function createPayments({
  pool,
  providerUrl,
  quietMs,
  looking = {},
  ...engine
}: PaymentsOptions) {
  const t = initTRPC
    .context<{ idempotency: IncomingKeys }>()
    .create({ errorFormatter: idempotencyErrorFormatter() });
  const store = postgresStore(pool);
  // Nobody signs in here. In an application the scope is the id of whoever did.
  const once = createIdempotency(t, { ...engine, store, scope: () => 'shop' });

  const router = t.router({
    pay: t.procedure
      .input(z.object({ orderId: z.string(), cents: z.int().positive() }))
      .use(
        once.guard({
          effect: 'external',
          async resolve({ key, signal }) {
            const [charge] = await find(providerUrl, key, signal);
            return charge
              ? { kind: 'executed', value: { chargeId: charge.id } }
              : { kind: 'not-executed', quietMs };
          },
        }),
      )
      .mutation(async ({ ctx: { idempotency }, input }) => {
        // Our reference is the key: after a crash nothing else is left to ask by.
        const payment = { ...input, reference: idempotency.key };
        const charge = await send(providerUrl, payment, idempotency.signal);
        return { chargeId: charge.id };
      }),
  });
  const listener: RequestListener = createHTTPHandler({
    router,
    createContext: (request) => ({ idempotency: incomingKeys(request) }),
    responseMeta: idempotencyResponseMeta(),
  });
  const mutations = (await once.mutationsOf(router)).values();
  return {
    listener,
    start() {
      createMaintenance({ store }).start();
      createReconciler({ ...looking, store, mutations }).start();
    },
  };
}

async function send(
  url: string,
  payment: Omit<Charge, 'id'>,
  signal: AbortSignal,
): Promise<Charge> {
  const response = await fetch(`${url}/charges`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(payment),
    signal,
  });
  const [charge] = await chargesIn(response);
  if (!charge) throw new Error('The provider did not charge');
  return charge;
}

async function find(url: string, reference: string, signal: AbortSignal): Promise<Charge[]> {
  return chargesIn(await fetch(`${url}/charges?reference=${reference}`, { signal }));
}

async function chargesIn(response: Response): Promise<Charge[]> {
  if (!response.ok) throw new Error(`The provider answered ${response.status}`);
  return (await response.json()) as Charge[];
}
