import { createConsole } from '@onceward/console';
import { migrate, postgresStore } from '@onceward/postgres';
import { createMaintenance } from '@onceward/server';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { createFaultMemory } from '../faults/fault-memory.ts';
import type { FaultTools } from '../faults/request-faults.ts';
import { listen } from '../ports/listen.ts';
import { createPlainAnswerer } from '../plain/answer-plain.ts';
import { createTables } from '../shop/create-tables.ts';
import { createShopYoga } from '../graphql/shop-yoga.ts';
import { createAppRouter } from '../trpc/app-router.ts';
import { createSightings } from '../watch/sightings.ts';
import { createAnswerer } from './create-answerer.ts';
import { closeServer, createHttpServer } from './http-server.ts';
import type { PageFiles } from './page-files.ts';
import { demoOperator } from './sign-in.ts';

export interface ServiceOptions {
  /** A database of its own. */
  readonly databaseUrl: string;
  /** 0 for any. */
  readonly port: number;
  readonly host: string;
  readonly crash: FaultTools['crash'];
  /** @defaultValue none: nothing but an API */
  readonly page?: PageFiles;
}

export interface Service extends AsyncDisposable {
  readonly url: string;
  /** May be called more than once. */
  stop(): Promise<void>;
}

/** Starts the shop. Several may run in one process, each on its own database and port. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { databaseUrl, port, host, crash, page = new Map() } = options;
  const pool = openPool(databaseUrl, 40);
  // Apart from the pool of the transactions: a handler that holds one never waits for another.
  const outside = openPool(databaseUrl, 20);
  await createTables(outside);
  await migrate(pool);
  const store = postgresStore(pool);
  await store.verify();
  const maintenance = createMaintenance({ store, sweepEveryMs: 60_000 });
  maintenance.start();

  // A short lease, so that nobody waits long for the key of a server that crashed.
  const shopTools = { store, outside, leaseMs: 5_000, server: randomUUID() };
  const router = await createAppRouter(shopTools);
  const yoga = createShopYoga(shopTools);
  const stopping = new AbortController();
  const requestTools = {
    memory: createFaultMemory(outside),
    crash,
    stopping: stopping.signal,
    sightings: createSightings(outside, shopTools.server),
  };
  const plain = createPlainAnswerer(outside, requestTools);
  const console = createConsole({
    postgres: outside,
    authorize: demoOperator,
    showPayloads: true,
    // As short as the leases: what is under way here is over after seconds.
    quietMs: 30_000,
    onError: (error) => process.stderr.write(`The console: ${String(error)}\n`),
  });
  const server = createHttpServer(
    createAnswerer({ router, yoga, plain, requestTools, outside, console, page }),
  );
  const listeningOn = await listen(server, port, host);

  const stopAll = async () => {
    await closeServer(server, 2_000);
    stopping.abort();
    await maintenance.stop();
    await Promise.all([pool.end(), outside.end()]);
  };
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= stopAll());
  return { url: `http://${host}:${listeningOn}`, stop, [Symbol.asyncDispose]: stop };
}

function openPool(connectionString: string, max: number): pg.Pool {
  const pool = new pg.Pool({ connectionString, max });
  // A connection that is cut while idle is no news: the pool opens another.
  pool.on('error', () => undefined);
  return pool;
}
