import { join } from 'node:path';
import { createRelay, postgresJobs, postgresOutbox } from '@onceward/postgres/outbox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleProgram, killNow, type Program, said } from '../support/node-process.ts';
import { openPostgres } from '../support/open-postgres.ts';
import { createParcels, type ParcelForm, parcelHandler, parcelTasks } from './parcels.ts';
import type { RelayHangPoint } from './relay-process.ts';

/**
 * A relay is killed with -9 at a named point of a job; another one comes after it. A job with a
 * transaction takes effect once; one that calls outside at least once, under one key.
 */
const leaseMs = 400;
let relays: Program;
beforeAll(async () => {
  relays = await bundleProgram(join(import.meta.dirname, 'relay-process.ts'));
});
afterAll(() => relays[Symbol.dispose]());

const points: RelayHangPoint[] = [
  'after-take',
  'in-effect',
  'after-handler',
  'before-done',
  'after-done',
];

describe('kill -9 of a relay', () => {
  test.each(points)('a job with a transaction, %s: takes effect once', async (point) => {
    await using office = await openOffice('transaction');
    await office.ship('a', 1);
    await office.ship('a', 2);
    await office.dieAt(point);
    expect(await office.parcels('a')).toEqual(point === 'after-done' ? [1] : []);
    await office.finish();
    expect(await office.parcels('a')).toEqual([1, 2]);
  });

  const twice: RelayHangPoint[] = ['in-effect', 'after-handler', 'before-done'];
  test.each(points)('a job that calls outside, %s: happens, under one key', async (point) => {
    await using office = await openOffice('outside');
    await office.ship('a', 1);
    await office.ship('a', 2);
    await office.dieAt(point);
    await office.finish();
    expect(await office.parcels('a')).toEqual(twice.includes(point) ? [1, 1, 2] : [1, 2]);
    expect(await office.keys()).toBe(2);
  });
});

test('relays that die at random lose nothing, repeat nothing and keep the order', async () => {
  await using office = await openOffice('transaction');
  const lanes = Array.from({ length: 12 }, (_, lane) => `lane ${lane}`);
  const parcels = Array.from({ length: 15 }, (_, parcel) => parcel);
  const seed = Number(process.env['ONCEWARD_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
  const random = seeded(seed);

  const crashing = crashAtRandom(office, random);
  await Promise.all(
    lanes.map(async (lane) => {
      for (const parcel of parcels) await office.ship(lane, parcel);
    }),
  );
  await crashing;
  await office.finish();
  for (const lane of lanes) {
    expect(await office.parcels(lane), `ONCEWARD_SEED=${seed}, ${lane}`).toEqual(parcels);
  }
  // Else nothing died in the middle of anything, and nothing was shown.
  expect(await office.attempts()).toBeGreaterThan(lanes.length * parcels.length);
}, 90_000);

type Office = Awaited<ReturnType<typeof openOffice>>;

/** Two relays at a time, of which one is killed every now and then, and replaced. */
async function crashAtRandom(office: Office, random: () => number): Promise<void> {
  const running = [await office.start(), await office.start()];
  for (let crash = 0; crash < 8; crash++) {
    await new Promise((resolve) => setTimeout(resolve, random() * 200));
    const [victim] = running.splice(random() < 0.5 ? 0 : 1, 1);
    if (victim) await killNow(victim);
    running.push(await office.start());
  }
  await Promise.all(running.map(killNow));
}

/** A schema with a table of parcels, an outbox, and relays to kill. */
async function openOffice(form: ParcelForm) {
  const database = await openPostgres();
  const { pool, schema, url } = database;
  await createParcels(pool, schema);
  const outbox = postgresOutbox(pool, { tasks: parcelTasks, schema });
  return {
    async ship(lane: string, parcel: number): Promise<void> {
      const client = await pool.connect();
      await client.query('begin');
      await outbox.enqueue(client, 'ship', { lane, parcel });
      await client.query('commit');
      client.release();
    },
    async start() {
      const child = relays.start({ url, schema, form, leaseMs });
      await said(child, 'started');
      return child;
    },
    async dieAt(hangAt: RelayHangPoint): Promise<void> {
      const child = relays.start({ url, schema, form, leaseMs, hangAt });
      await said(child, hangAt);
      await killNow(child);
    },
    /** Another relay runs what is left. */
    async finish(): Promise<void> {
      const handlers = { ship: parcelHandler({ pool, schema, form }) };
      const relay = createRelay({ outbox, handlers, pollMs: 50, backoff: { firstMs: 1 } });
      relay.start();
      const deadline = Date.now() + 60_000;
      while (!(await allDone())) {
        if (Date.now() > deadline) throw new Error('There are jobs that nobody runs');
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      await relay.stop();
    },
    async parcels(lane: string): Promise<number[]> {
      const sql = `select parcel from ${schema}.parcels where lane = $1 order by id`;
      const { rows } = await pool.query<{ parcel: number }>(sql, [lane]);
      return rows.map(({ parcel }) => parcel);
    },
    async keys(): Promise<number> {
      const { rows } = await pool.query<{ keys: number }>(
        `select count(distinct key)::int as keys from ${schema}.parcels`,
      );
      return rows[0]?.keys ?? 0;
    },
    async attempts(): Promise<number> {
      const { rows } = await pool.query<{ attempts: number }>(
        `select sum(attempt)::int as attempts from ${schema}.jobs`,
      );
      return rows[0]?.attempts ?? 0;
    },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };

  async function allDone(): Promise<boolean> {
    const counts = await postgresJobs(pool, { schema }).counts();
    return counts.every(({ state }) => state === 'done');
  }
}

/** The same numbers for the same seed. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return (state >>> 0) / 2 ** 32;
  };
}
