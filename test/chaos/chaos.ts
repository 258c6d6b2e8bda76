import { join } from 'node:path';
import { migrate } from '@onceward/postgres';
import pg from 'pg';
import { startCrashingPostgres } from '../services/postgres.ts';
import { openGateway } from '../support/faulty-gateway.ts';
import { bundleProgram } from '../support/node-process.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { type Books, closeBooks } from './books.ts';
import type { PointCounts } from './chaos-server-process.ts';
import { letCustomersIn } from './customers.ts';
import { makeTrouble } from './faults.ts';
import { openServerSlot } from './server-slot.ts';

export interface ChaosOptions {
  readonly durationMs: number;
  /** Decides what goes wrong, but not how fast anything runs. */
  readonly seed: number;
  readonly onProgress?: (progress: { elapsedMs: number; intents: number; faults: number }) => void;
}

export interface ChaosReport extends Books {
  readonly seconds: number;
  readonly intents: number;
  readonly requests: number;
  readonly statuses: Readonly<Record<number, number>>;
  readonly faults: Readonly<Record<string, number>>;
  /** How often servers came to each named point. */
  readonly points: Readonly<PointCounts>;
}

const servers = 3;
const customers = 24;

/** Lets customers shop while everything breaks, then heals everything and closes the books. */
export async function runChaos({
  durationMs,
  seed,
  onProgress,
}: ChaosOptions): Promise<ChaosReport> {
  const random = seededRandom(seed);
  await using postgres = await startCrashingPostgres();
  await using admin = openAdmin(postgres.url);
  await migrate(admin.pool);
  await admin.pool.query(
    'create table effects (tenant text not null, intent text not null, provider_key text unique)',
  );
  using program = await bundleProgram(join(import.meta.dirname, 'chaos-server-process.ts'), {
    whole: true,
  });
  const points: PointCounts = {};
  await using opened = await allOf(servers, () =>
    openServerSlot(program, postgres.url, (more) => addUp(points, more)),
  );
  const slots = opened.items;
  await using entrances = await allOf(servers, (n) => openGateway(() => slots[n]!.url()));
  const gateways = entrances.items;

  const faults: Record<string, number> = {};
  let faultCount = 0;
  const count = (fault: string) => {
    faultCount++;
    faults[fault] = (faults[fault] ?? 0) + 1;
  };
  const startedAt = performance.now();
  const elapsedMs = () => performance.now() - startedAt;
  const over = () => elapsedMs() >= durationMs;
  const url = () => gateways[Math.floor(random() * gateways.length)]!.url;
  const shop = letCustomersIn({ url, random, over, customers });
  const telling = setInterval(() => {
    onProgress?.({ elapsedMs: elapsedMs(), intents: shop.intents.length, faults: faultCount });
  }, 1_000);
  try {
    const trouble = { slots, gateways, postgres, admin: admin.pool, random, over, count };
    await Promise.all([makeTrouble(trouble), shop.done]);
  } finally {
    clearInterval(telling);
  }

  for (const slot of slots) {
    await slot.kill();
    await slot.start();
  }
  const books = await closeBooks(shop.intents, { pool: admin.pool, url });
  return {
    ...books,
    seconds: durationMs / 1_000,
    intents: shop.intents.length,
    requests: gateways.reduce((sum, { requests }) => sum + requests.length, 0),
    statuses: shop.statuses,
    faults,
    points,
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

function addUp(all: PointCounts, more: PointCounts): void {
  for (const [point, count] of Object.entries(more) as [keyof PointCounts, number][]) {
    all[point] = (all[point] ?? 0) + count;
  }
}

function openAdmin(url: string): AsyncDisposable & { readonly pool: pg.Pool } {
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  pool.on('error', () => undefined);
  return { pool, [Symbol.asyncDispose]: () => pool.end() };
}
