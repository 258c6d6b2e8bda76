// One server of the shop, which takes payments until it dies, at a named point if it is told to.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import { postgresStore } from '@onceward/postgres';
import type { ProbePoint } from '@onceward/server';
import { createIdempotency, nodeHandler } from '@onceward/server/fetch';
import pg from 'pg';

export interface ChaosOrder {
  readonly databaseUrl: string;
  readonly dieAt?: { readonly point: ProbePoint; readonly time: number } | undefined;
}

/** What a server reports: how often it came to each point, since it last did. */
export type PointCounts = Partial<Record<ProbePoint, number>>;

/** How a mutation takes effect; the path it is sent to. */
export const forms = ['atomic', 'transactional-steps', 'outside-steps'] as const;

export type Form = (typeof forms)[number];

process.on('message', (order: ChaosOrder) => serve(order));
process.on('disconnect', () => process.exit());

function serve({ databaseUrl, dieAt }: ChaosOrder): void {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 6,
    connectionTimeoutMillis: 2_000,
    query_timeout: 3_000,
  });
  pool.on('error', () => undefined);
  let left = dieAt?.time ?? 0;
  let points: PointCounts = {};
  const probe = (point: ProbePoint) => {
    points[point] = (points[point] ?? 0) + 1;
    if (point === dieAt?.point && --left === 0) process.kill(process.pid, 'SIGKILL');
  };
  setInterval(() => {
    process.send?.({ points } satisfies { points: PointCounts });
    points = {};
  }, 100);

  const once = createIdempotency({
    store: postgresStore(pool),
    scope: (request) => tenantOf(request),
    leaseMs: 1_000,
    storeRetryAfterMs: 50,
    probe,
  });
  const receipt = (request: Request) =>
    Response.json({ tenant: tenantOf(request), receipt: randomUUID() }, { status: 201 });
  const insert = 'insert into effects (tenant, intent, provider_key) values ($1, $2, $3)';

  const routes: Record<Form, ReturnType<typeof nodeHandler>> = {
    atomic: nodeHandler(
      once.route({ operation: 'atomic', effect: 'atomic' }, async (request, { tx, key }) => {
        await tx.query(insert, [tenantOf(request), key, null]);
        return receipt(request);
      }),
    ),
    'transactional-steps': nodeHandler(
      once.route({ operation: 'in-steps', effect: 'steps' }, async (request, { step, key }) => {
        await step.transaction('charge', async ({ tx }) => {
          await tx.query(insert, [tenantOf(request), key, null]);
        });
        await step('note', () => 'noted');
        return receipt(request);
      }),
    ),
    'outside-steps': nodeHandler(
      once.route({ operation: 'outside', effect: 'steps' }, async (request, { step, key }) => {
        await step('charge', async ({ downstreamKey }) => {
          // A provider that honours keys.
          await pool.query(`${insert} on conflict (provider_key) do nothing`, [
            tenantOf(request),
            key,
            downstreamKey,
          ]);
        });
        return receipt(request);
      }),
    ),
  };
  const server = createServer((request, response) => {
    const route = routes[(request.url ?? '').slice(1) as Form];
    route(request, response);
  });
  server.listen(0, '127.0.0.1', () => {
    process.send?.({ port: (server.address() as AddressInfo).port });
  });
}

function tenantOf(request: Request): string {
  return request.headers.get('x-tenant') ?? '';
}
