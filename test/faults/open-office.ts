import type { ChildProcess } from 'node:child_process';
import { createRelay, postgresJobs, postgresOutbox } from '@onceward/postgres/outbox';
import { killNow, type Program, said } from '../support/node-process.ts';
import { openPostgres, type PostgresFixture } from '../support/open-postgres.ts';
import { openWire } from '../support/postgres-wire.ts';
import type { RelayPlace } from './crash-matrix.ts';
import { createParcels, type ParcelForm, parcelHandler, parcelTasks } from './parcels.ts';
import { holdAt, isWirePlace } from './wire-places.ts';

/** A schema with a table of parcels, an outbox, and relays to kill. */
export async function openOffice(form: ParcelForm, relays: Program) {
  const leaseMs = 400;
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
    async start(): Promise<ChildProcess> {
      const child = relays.start({ url, schema, form, leaseMs });
      await said(child, 'started');
      return child;
    },
    async dieAt(hangAt: RelayPlace): Promise<void> {
      if (!isWirePlace(hangAt)) {
        const child = relays.start({ url, schema, form, leaseMs, hangAt });
        await said(child, hangAt);
        return killNow(child);
      }
      await using wire = await openWire(url);
      const held = holdAt(hangAt, wire);
      const child = relays.start({ url: wire.url, schema, form, leaseMs });
      await held;
      await killNow(child);
    },
    /** Another relay runs what is left. */
    finish: () => finishJobs(database, form),
    async parcels(lane: string): Promise<number[]> {
      return parcelsIn(lane, database);
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
}

/** Runs jobs until every one of the schema is done, those of relays that died as well. */
export async function finishJobs(
  { pool, schema }: Pick<PostgresFixture, 'pool' | 'schema'>,
  form: ParcelForm,
): Promise<void> {
  const outbox = postgresOutbox(pool, { tasks: parcelTasks, schema });
  const handlers = { ship: parcelHandler({ pool, schema, form }) };
  const relay = createRelay({ outbox, handlers, pollMs: 50, backoff: { firstMs: 1 } });
  relay.start();
  const deadline = Date.now() + 60_000;
  for (;;) {
    const counts = await postgresJobs(pool, { schema }).counts();
    if (counts.every(({ state }) => state === 'done')) break;
    if (Date.now() > deadline) throw new Error('There are jobs that nobody runs');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await relay.stop();
}

/** In the order in which they were noted. */
export async function parcelsIn(
  lane: string,
  { pool, schema }: Pick<PostgresFixture, 'pool' | 'schema'>,
): Promise<number[]> {
  const sql = `select parcel from ${schema}.parcels where lane = $1 order by id`;
  const { rows } = await pool.query<{ parcel: number }>(sql, [lane]);
  return rows.map(({ parcel }) => parcel);
}
