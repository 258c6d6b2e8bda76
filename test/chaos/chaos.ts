import { join } from 'node:path';
import { setTimeout as passes } from 'node:timers/promises';
import { migrate } from '@onceward/postgres';
import pg from 'pg';
import { nativeRedis } from '../../packages/redis/test/native-redis.ts';
import { startCrashingPostgres } from '../services/postgres.ts';
import { bundleProgram, type Program } from '../support/node-process.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { type Books, closeBooks } from './books.ts';
import { openCrowd } from './crowd.ts';
import { openDevices } from './devices.ts';
import { openEntrances } from './entrances.ts';
import { openProvider } from './provider.ts';
import { startRedisPair } from './redis-pair.ts';
import { openServerSlot } from './server-slot.ts';
import type { Counts } from './server-tools.ts';
import { mountSmallDisk } from './small-disk.ts';
import type { SentPoint } from './statements.ts';
import { makeTrouble } from './trouble.ts';
import { leaveRecordsAlone, notedTransitions, watchRecords } from './watch-records.ts';

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
  readonly requests: number;
  readonly statuses: Readonly<Record<number, number>>;
  readonly faults: Readonly<Record<string, number>>;
  /** How often somebody came to each failpoint, and each transition was made. */
  readonly counts: Readonly<Counts>;
  /** What could not be done here, and why. */
  readonly leftOut: readonly string[];
}

const servers = 6;
const customers = 96;
const customerProcesses = 4;

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
  await watchRecords(admin.pool);
  await using redis = nativeRedis ? await startRedisPair() : undefined;
  await using provider = await openProvider();
  using program = await bundled('chaos-server-process.ts');
  using customersProgram = await bundled('customers-process.ts');
  using deviceProgram = await bundled('device-process.ts');
  const faults: Record<string, number> = {};
  let faultCount = 0;
  const count = (fault: string, times = 1) => {
    faultCount += times;
    faults[fault] = (faults[fault] ?? 0) + times;
  };
  using crowd = openCrowd({
    ...{ program: customersProgram, servers, customers, random, onFaults: count },
    processes: customerProcesses,
    redis: redis !== undefined,
  });
  await using entrances = await openEntrances(servers, random, count);
  const counts: Counts = {};
  const ports: (number | undefined)[] = [];
  let serversCrashed = 0;
  await using opened = await allOf(servers, (n) =>
    openServerSlot({
      program,
      databaseUrl: postgres.url,
      redisPort: redis?.line.port,
      providerPort: provider.port,
      // Each pass reads every record: two of them suffice.
      maintains: n < 2,
      onCounts: (more) => addUp(counts, more),
      onFaults: count,
      onCrash: () => void serversCrashed++,
      onPort(port) {
        ports[n] = port;
        crowd.lead(ports);
        entrances.lead(ports);
      },
    }),
  );
  const slots = opened.items;

  // From when there is somebody to serve: to start a dozen processes takes a while.
  await Promise.all(slots.map((slot) => slot.start()));
  crowd.open();
  const startedAt = performance.now();
  const elapsedMs = () => performance.now() - startedAt;
  const over = () => elapsedMs() >= durationMs;
  const { ports: entrancePorts } = entrances;
  using devices = openDevices({
    ...{ program: deviceProgram, ports: entrancePorts, random, over, count },
  });
  const tell = (phase: ChaosProgress['phase'], share: number) =>
    onProgress?.({ phase, share, intents: crowd.intents, faults: faultCount });
  let phase: ChaosProgress['phase'] = 'chaos';
  const telling = setInterval(() => {
    const settled = crowd.intents > 0 ? crowd.settled / crowd.intents : 0;
    tell(phase, phase === 'chaos' ? Math.min(1, elapsedMs() / durationMs) : settled);
  }, 1_000);
  try {
    const trouble = {
      ...{ slots, postgres, disk, redis, admin: admin.pool, random, over, count },
      cameTo: (point: SentPoint) => addUp(counts, { [point]: 1 }),
    };
    const shopping = passes(durationMs).then(() => crowd.stop());
    await Promise.all([makeTrouble(trouble), shopping, devices.live()]);
    entrances.heal();
    const { statuses } = crowd;
    await leaveRecordsAlone(admin.pool);

    await redis?.followed();
    for (const slot of slots) {
      await slot.kill();
      await slot.start();
    }
    phase = 'books';
    const [intents] = await Promise.all([crowd.settle(), devices.settle()]);
    const killed = Object.entries(faults)
      .filter(([fault]) => fault.startsWith('server: killed'))
      .reduce((sum, [, times]) => sum + times, 0);
    const keeping = {
      ...{ pool: admin.pool, provider, redisPort: redis?.line.port },
      servers: { started: servers + killed, crashed: serversCrashed },
    };
    const books = await closeBooks([...intents, ...devices.intents()], keeping);
    addUp(counts, await notedTransitions(admin.pool));
    addUp(counts, devices.counts());
    return {
      ...books,
      seconds: durationMs / 1_000,
      requests: Object.values(statuses).reduce((sum, many) => sum + many, 0),
      ...{ statuses, faults, counts },
      leftOut: [
        ...(typeof mounted === 'string' ? [`a full disk: ${mounted}`] : []),
        ...(redis ? [] : ['Redis: there is no redis-server on PATH']),
      ],
    };
  } finally {
    clearInterval(telling);
  }
}

function bundled(name: string): Promise<Program> {
  return bundleProgram(join(import.meta.dirname, name), { whole: true });
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
