import { type JobHandler, task } from '@onceward/postgres/outbox';
import type pg from 'pg';

export interface Parcel {
  readonly lane: string;
  readonly parcel: number;
}

/** What both relays run: the one that dies and the one that comes after it. */
export const parcelTasks = { ship: task<Parcel>({ lane: ({ lane }) => lane }) };

/** With the transaction of the job, or outside of any. */
export type ParcelForm = 'transaction' | 'outside';

export interface ParcelOffice {
  readonly pool: pg.Pool;
  readonly schema: string;
  readonly form: ParcelForm;
  /** Runs after the effect, and before the handler returns. */
  readonly after?: () => unknown;
}

/** Notes each parcel in the table `parcels`, which counts what is noted. */
export function parcelHandler({
  pool,
  schema,
  form,
  after,
}: ParcelOffice): JobHandler<Parcel, pg.PoolClient> {
  const note = async (
    through: Pick<pg.ClientBase, 'query'>,
    { payload, key }: { payload: Parcel; key: string },
  ) => {
    await through.query(`insert into ${schema}.parcels (lane, parcel, key) values ($1, $2, $3)`, [
      payload.lane,
      payload.parcel,
      key,
    ]);
    await after?.();
  };
  return form === 'transaction'
    ? { transaction: (job) => note(job.tx, job) }
    : { run: (job) => note(pool, job) };
}

/** In the order in which parcels were noted. */
export async function createParcels(pool: pg.Pool, schema: string): Promise<void> {
  await pool.query(
    `create table ${schema}.parcels (
       id     bigint generated always as identity,
       lane   text   not null,
       parcel int    not null,
       key    text   not null
     )`,
  );
}
