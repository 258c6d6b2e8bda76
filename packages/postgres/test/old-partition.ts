import type { EffectHarness } from '@onceward/conformance';
import { newRequest } from '@onceward/conformance/requests';
import type { ReserveRequest } from '@onceward/core/store';
import type pg from 'pg';
import type { PostgresStore } from '../src/postgres-store.ts';
import { untilBlocking } from './hold-rows.ts';
import type { OpenSchema } from './open-schema.ts';

const day = 24 * 60 * 60_000;

/** A partition for the keys of a day long ago, which is due to be dropped. */
export interface OldPartition {
  readonly schema: string;
  readonly store: PostgresStore<pg.PoolClient>;
  readonly effects: EffectHarness;
  /** A request with such a key. Its mutation keeps keys for longer than partitions. */
  request(overrides?: Partial<ReserveRequest>): ReserveRequest;
  /** Takes steps until one of them is this one; says what each was. */
  retireUntil(step: string): Promise<string[]>;
  /** Takes one step in a transaction that is left open. */
  openStep(): Promise<OpenStep>;
  partitions(): Promise<{ name: string; state: string }[]>;
  /** In which tables there is a record of this key. */
  homes(request: ReserveRequest): Promise<string[]>;
}

export interface OpenStep extends AsyncDisposable {
  readonly step: string;
  /** Waits until something has happened, or waits for the transaction. */
  untilBlocking(something: Promise<unknown>): Promise<'happened' | 'waits'>;
  end(how: 'commit' | 'rollback'): Promise<void>;
}

/** In a schema that may have had others before: each is of a day of its own. */
export async function openOldPartition(pool: pg.Pool, harness: OpenSchema): Promise<OldPartition> {
  const { schema, store, effects } = harness;
  // So long ago that it would get none any more: a test cannot wait until it is due.
  await pool.query(`update "${schema}".layout set floor_ms = 0`);
  await store.verify();
  const keyTimestampMs = Date.now() - (4_000 - opened++) * day;
  const request = (overrides: Partial<ReserveRequest> = {}) =>
    newRequest({ keyTimestampMs, keyRetentionMs: Infinity, ...overrides });
  // Somebody else's: there is always something to move.
  await store.reserve(request());

  let position: [string | null, number] = [null, 0];
  const takeStep = async (through: Pick<pg.ClientBase, 'query'>): Promise<string> => {
    const { rows } = await through.query(
      `select * from "${schema}".retire_partition($1, $2, 1000)`,
      position,
    );
    position = [rows[0].next_name, Number(rows[0].next_page)];
    return rows[0].step;
  };

  return {
    schema,
    store,
    effects,
    request,
    async retireUntil(step) {
      const steps: string[] = [];
      while (steps.at(-1) !== step && steps.length < 20) steps.push(await takeStep(pool));
      return steps;
    },
    openStep: () => openStep(pool, takeStep),
    async partitions() {
      const { rows } = await pool.query(
        `select name, state from "${schema}".partition_spans
          where due_ms <= extract(epoch from now()) * 1000
          order by start_ms`,
      );
      return rows;
    },
    async homes({ key }) {
      const { rows } = await pool.query(
        `select tableoid::regclass::text as home from "${schema}".records where key = $1`,
        [key],
      );
      return rows.map(({ home }) => home.replace(`${schema}.`, ''));
    },
  };
}

let opened = 0;

async function openStep(
  pool: pg.Pool,
  takeStep: (through: pg.PoolClient) => Promise<string>,
): Promise<OpenStep> {
  const client = await pool.connect();
  let isOpen = true;
  const end = async (how: 'commit' | 'rollback') => {
    if (!isOpen) return;
    isOpen = false;
    await client.query(how);
    client.release();
  };
  await client.query('begin');
  const step = await takeStep(client);
  return {
    step,
    end,
    untilBlocking: (something) => untilBlocking(pool, client, something),
    [Symbol.asyncDispose]: () => end('rollback'),
  };
}
