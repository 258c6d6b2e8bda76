// One server of the shop, which takes payments until it dies, at a named point if it is told to.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NodeHandler } from '@onceward/server/fetch';
import pg from 'pg';
import type { Death } from './failpoints.ts';
import { routesOfOperators } from './routes-of-operators.ts';
import { routesOnPostgres } from './routes-on-postgres.ts';
import { routesOnRedis } from './routes-on-redis.ts';
import { type Counts, type ServerState, serverTools } from './server-tools.ts';

export interface ChaosOrder {
  readonly databaseUrl: string;
  readonly redisPort?: number | undefined;
  readonly providerPort: number;
  readonly dieAt?: Death | undefined;
  /** Whether it also sweeps, prunes and asks the provider about what is unknown. */
  readonly maintains: boolean;
}

/** What a server is told that is to be ready, and to wait for its order. */
export interface Standby {
  readonly standby: true;
}

/** What may happen to a server while it runs. */
export type ServerTrouble =
  /** Its clock is off by so much from now on. */
  | { readonly clockOffsetMs: number }
  /** Somebody takes all its connections to the database for so long. */
  | { readonly exhaustPoolMs: number };

/** What a server says: where it listens, or what it has counted since it last said so. */
export type ServerWord =
  | { readonly port: number }
  | { readonly counts: Counts; readonly faults: Readonly<Record<string, number>> };

process.on('message', (order: ChaosOrder | ServerTrouble | Standby) => {
  if ('databaseUrl' in order) serve(order);
});
process.on('disconnect', () => process.exit());

const connections = 16;

function serve(order: ChaosOrder): void {
  const { databaseUrl, redisPort, providerPort, dieAt, maintains } = order;
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: connections,
    connectionTimeoutMillis: 2_000,
    query_timeout: 3_000,
  });
  pool.on('error', ignore);
  // Told in the same breath that it is connected and that it is not, a client is nobody's yet.
  pool.on('connect', (client) => {
    client.on('error', ignore);
    client.on('notice', ({ message = '' }) => tools.heard(message));
  });
  const state: ServerState = { clockOffsetMs: 0, counts: {}, faults: {} };
  const tools = serverTools(state, { providerPort, dieAt, maintains });
  const say = (word: ServerWord) => process.send?.(word);
  setInterval(() => {
    say({ counts: state.counts, faults: state.faults });
    state.counts = {};
    state.faults = {};
  }, 100);
  process.on('message', (trouble: ServerTrouble) => {
    if ('clockOffsetMs' in trouble) state.clockOffsetMs = trouble.clockOffsetMs;
    if ('exhaustPoolMs' in trouble) void exhaust(pool, trouble.exhaustPoolMs);
  });

  const routes: Record<string, NodeHandler | undefined> = {
    ...routesOnPostgres(pool, tools),
    ...routesOfOperators(pool, tools),
  };
  if (redisPort !== undefined) {
    void routesOnRedis(redisPort, tools).then((more) => Object.assign(routes, more));
  }
  const server = createServer((request, response) => {
    tools.at('before-auth');
    const route = routes[(request.url ?? '').slice(1)];
    if (route) route(request, response);
    else response.writeHead(503).end();
  });
  server.listen(0, '127.0.0.1', () => say({ port: (server.address() as AddressInfo).port }));
}

async function exhaust(pool: pg.Pool, ms: number): Promise<void> {
  const taken = await Promise.allSettled(Array.from({ length: connections }, () => pool.connect()));
  await new Promise((resolve) => setTimeout(resolve, ms));
  for (const one of taken) if (one.status === 'fulfilled') one.value.release();
}

function ignore(): void {}
