import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { ExecutingIntent, type IdempotencyKey, sharedIntents } from '@onceward/core';
import type pg from 'pg';
import {
  createRelay,
  type Enqueued,
  type JobHandlers,
  type Jobs,
  postgresJobs,
  postgresOutbox,
  type Relay,
  type RelayEvent,
  type RelayOptions,
  task,
} from '../src/outbox/index.ts';
import { type OpenSchema, openSchema } from './open-schema.ts';

/** Two tasks: one in no lane, and one whose payload names its lane. */
export const tasks = {
  pay: task<{ cents: number }>(),
  ship: task<{ lane: string; parcel: number }>({ lane: ({ lane }) => lane }),
};

type TestTasks = typeof tasks;

export interface OpenOutbox extends OpenSchema {
  readonly pool: pg.Pool;
  readonly outbox: ReturnType<typeof openOutboxOn>;
  readonly jobs: Jobs;
  readonly events: RelayEvent[];
  /** In a transaction of its own. */
  pay(cents: number): Promise<Enqueued>;
  ship(lane: string, parcel: number): Promise<Enqueued>;
  /** Pauses between attempts are over at once, unless `random` says otherwise. */
  relay(
    handlers: JobHandlers<TestTasks, pg.PoolClient>,
    options?: Partial<RelayOptions<TestTasks, pg.PoolClient>>,
  ): Relay;
  /** States and times of all jobs, oldest first, as the view shows them. */
  view(): Promise<Record<string, unknown>[]>;
}

export async function openOutbox(pool: pg.Pool): Promise<OpenOutbox> {
  const opened = await openSchema(pool);
  const { schema } = opened;
  const outbox = openOutboxOn(pool, schema);
  const events: RelayEvent[] = [];
  const relays: Relay[] = [];
  return {
    ...opened,
    pool,
    outbox,
    events,
    jobs: postgresJobs(pool, { schema }),
    pay: (cents) => committed(pool, (client) => outbox.enqueue(client, 'pay', { cents })),
    ship: (lane, parcel) =>
      committed(pool, (client) => outbox.enqueue(client, 'ship', { lane, parcel })),
    relay(handlers, options = {}) {
      const onEvent = (event: RelayEvent) => void events.push(event);
      const relay = createRelay({ outbox, handlers, onEvent, random: () => 0, ...options });
      relays.push(relay);
      return relay;
    },
    async view() {
      const { rows } = await pool.query(`select * from "${schema}".jobs order by id`);
      return rows;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(relays.map((relay) => relay.stop({ limitMs: 1 })));
      await opened[Symbol.asyncDispose]();
    },
  };
}

export function openOutboxOn(pool: pg.Pool, schema: string) {
  return postgresOutbox(pool, { tasks, schema });
}

/** Runs something in a transaction, and commits it. */
export async function committed<T>(
  pool: pg.Pool,
  run: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const value = await run(client);
    await client.query('commit');
    return value;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

/** Runs something as an attempt at an intent, as the engine does it. */
export function asAttempt<T>(key: IdempotencyKey, run: () => T): T {
  const sha256 = (text: string) => createHash('sha256').update(text).digest();
  const intents = sharedIntents(() => new AsyncLocalStorage());
  return intents.run({ intent: new ExecutingIntent({ key, within: ['alice'] }, sha256) }, run);
}
