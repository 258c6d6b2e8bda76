import { join } from 'node:path';
import { migrate } from '@onceward/postgres';
import pg from 'pg';
import { nativeRedis } from '../../packages/redis/test/native-redis.ts';
import { startCrashingPostgres } from '../services/postgres.ts';
import { bundleProgram } from '../support/node-process.ts';
import { pick, seededRandom } from '../support/seeded-random.ts';
import { type Books, closeBooks } from './books.ts';
import { letCustomersIn } from './customers.ts';
import { openProvider } from './provider.ts';
import { startRedisPair } from './redis-pair.ts';
import { openServerSlot } from './server-slot.ts';
import type { Counts } from './server-tools.ts';
import { mountSmallDisk } from './small-disk.ts';
import { makeTrouble } from './trouble.ts';

export interface ChaosOptions {
  readonly durationMs: number;
  /** Decides what goes wrong, but not how fast anything runs. */
  readonly seed: number;
  readonly onProgress?: (progress: ChaosProgress) => void;
}

export interface ChaosProgress {
  /** What is going on, and how much of it is done. */
  readonly phase: 'chaos' | 'books';
  readonly share: number;
  readonly intents: number;
  readonly faults: number;
}

export interface ChaosReport extends Books {
  readonly seconds: number;
  readonly intents: number;
  readonly requests: number;
  readonly statuses: Readonly<Record<number, number>>;
  readonly faults: Readonly<Record<string, number>>;
  /** How often servers came to each failpoint, and made each transition. */
  readonly counts: Readonly<Counts>;
  /** What could not be done here, and why. */
  readonly leftOut: readonly string[];
}

const servers = 3;
const customers = 64;

/** Lets customers shop while everything breaks, then heals everything and closes the books. */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { durationMs, onProgress } = options;
  const random = seededRandom(options.seed);
  const mounted = mountSmallDisk();
  using disk = typeof mounted === 'string' ? undefined : mounted;
  await using postgres = await startCrashingPostgres({
    settings: ['max_wal_size=96MB', 'min_wal_size=32MB'],
    ...(disk && { folder: disk.folder }),
  });
  await using admin = openAdmin(postgres.url);
  await migrate(admin.pool);
  await admin.pool.query(
    'create table effects (tenant text not null, intent text not null, provider_key text unique)',
  );
  await using redis = nativeRedis ? await startRedisPair() : undefined;
  await using provider = await openProvider();
  using program = await bundleProgram(join(import.meta.dirname, 'chaos-server-process.ts'), {
    whole: true,
  });
  const counts: Counts = {};
  await using opened = await allOf(servers, () =>
    openServerSlot({
      program,
      databaseUrl: postgres.url,
      redisPort: redis?.line.port,
      providerPort: provider.port,
      onCounts: (more) => addUp(counts, more),
    }),
  );
  const slots = opened.items;

  const faults: Record<string, number> = {};
  let faultCount = 0;
  const count = (fault: string) => {
    faultCount++;
    faults[fault] = (faults[fault] ?? 0) + 1;
  };
  const startedAt = performance.now();
  const elapsedMs = () => performance.now() - startedAt;
  const over = () => elapsedMs() >= durationMs;
  const port = () => pick(slots, random).entrance.port;
  const shop = letCustomersIn({ port, random, over, customers, redis: redis !== undefined });
  const tell = (phase: ChaosProgress['phase'], share: number) =>
    onProgress?.({ phase, share, intents: shop.intents.length, faults: faultCount });
  const telling = setInterval(() => tell('chaos', elapsedMs() / durationMs), 1_000);
  try {
    const trouble = { slots, postgres, disk, redis, admin: admin.pool, random, over, count };
    await Promise.all([makeTrouble(trouble), shop.done]);
  } finally {
    clearInterval(telling);
  }

  await redis?.followed();
  for (const slot of slots) {
    await slot.kill();
    await slot.start();
  }
  const books = await closeBooks(shop.intents, {
    ...{ pool: admin.pool, provider, port },
    redisPort: redis?.line.port,
    onProgress: (share) => tell('books', share),
  });
  return {
    ...books,
    seconds: durationMs / 1_000,
    intents: shop.intents.length,
    requests: Object.values(shop.statuses).reduce((sum, many) => sum + many, 0),
    statuses: shop.statuses,
    ...{ faults, counts },
    leftOut: [
      ...(typeof mounted === 'string' ? [`a full disk: ${mounted}`] : []),
      ...(redis ? [] : ['Redis: there is no redis-server on PATH']),
    ],
  };
}

/** Several of a kind, which are closed together. */
async function allOf<Item extends AsyncDisposable>(
  count: number,
  open: (n: number) => Promise<Item>,
): Promise<AsyncDisposable & { readonly items: readonly Item[] }> {
  const items: Item[] = [];
  for (let n = 0; n < count; n++) items.push(await open(n));
  return {
    items,
    async [Symbol.asyncDispose]() {
      for (const item of items) await item[Symbol.asyncDispose]();
    },
  };
}

function addUp(all: Counts, more: Counts): void {
  for (const [name, count] of Object.entries(more) as [keyof Counts, number][]) {
    all[name] = (all[name] ?? 0) + count;
  }
}

function openAdmin(url: string): AsyncDisposable & { readonly pool: pg.Pool } {
  const pool = new pg.Pool({ connectionString: url, max: 2, connectionTimeoutMillis: 2_000 });
  pool.on('error', () => undefined);
  return { pool, [Symbol.asyncDispose]: () => pool.end() };
}
