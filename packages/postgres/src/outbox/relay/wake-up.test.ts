import type pg from 'pg';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { type Interceptor, interceptedPool } from '../../../test/intercepted-pool.ts';
import { committed, openOutbox, tasks } from '../../../test/open-outbox.ts';
import { openPool } from '../../../test/open-schema.ts';
import { postgresOutbox } from '../postgres-outbox.ts';
import { createRelay } from './relay.ts';
import type { RelayEvent } from './relay-event.ts';

const pool = openPool({ max: 12 });
afterAll(() => pool.end());

const anHour = 3_600_000;

describe('a relay that sleeps', () => {
  test('is woken by the commit of a job', async () => {
    await using opened = await openOutbox(pool);
    const { pay, relay, events } = opened;
    relay({ pay: () => undefined }, { pollMs: anHour }).start();
    await listening(events);
    await pay(1);
    await done(events, 1);
  });

  test('finds a job that nobody told it of when it looks', async () => {
    await using opened = await openOutbox(pool);
    const { relay, schema, events } = opened;
    const silent = postgresOutbox(pool, { tasks, schema, notify: false });
    relay({ pay: () => undefined }, { pollMs: 50 }).start();
    await listening(events);
    await committed(pool, (tx) => silent.enqueue(tx, 'pay', { cents: 1 }));
    await done(events, 1);
  });

  test('finds jobs by looking alone, where it cannot listen', async () => {
    await using opened = await openOutbox(pool);
    const { relay, pay, events } = opened;
    relay({ pay: () => undefined }, { pollMs: 50, listen: false }).start();
    await pay(1);
    await done(events, 1);
    expect(events.map(({ kind }) => kind)).not.toContain('listening-started');
  });

  test('listens again when its connection was lost, and has missed nothing', async () => {
    await using opened = await openOutbox(pool);
    const { relay, pay, schema, events } = opened;
    const ran: number[] = [];
    const silent = postgresOutbox(pool, { tasks, schema, notify: false });
    relay({ pay: ({ payload }) => void ran.push(payload.cents) }, { pollMs: anHour }).start();
    await listening(events);

    await committed(pool, (tx) => silent.enqueue(tx, 'pay', { cents: 1 }));
    await endListening(schema);
    await vi.waitFor(() => expect(ran).toEqual([1]), 10_000);
    expect(events.map(({ kind }) => kind).filter((kind) => kind.startsWith('listening'))).toEqual([
      ...['listening-started', 'listening-lost', 'listening-started'],
    ]);
    await pay(2);
    await vi.waitFor(() => expect(ran).toEqual([1, 2]), 10_000);
  });

  test('asks the database no more often than it is told to', async () => {
    await using opened = await openOutbox(pool);
    const { elapse } = opened;
    let queries = 0;
    await using watched = relayOn(opened, {
      alone: ({ send }) => {
        queries++;
        return send();
      },
    });
    watched.relay.start();
    await listening(watched.events);
    queries = 0;
    await elapse(1_200);
    await watched.relay.stop();
    // One every 500 ms; what a busy machine delays is not made up for.
    expect(queries).toBeGreaterThan(0);
    expect(queries).toBeLessThanOrEqual(3);
  });

  test('asks twice for a job: to take it, and to say that it is done', async () => {
    await using opened = await openOutbox(pool);
    const texts: string[] = [];
    await using watched = relayOn(
      opened,
      {
        alone: ({ text, send }) => {
          texts.push(text.trimStart().split(/\s+/).slice(0, 2).join(' '));
          return send();
        },
      },
      { pollMs: anHour },
    );
    watched.relay.start();
    await listening(watched.events);
    for (const [before, expected] of [
      [1, undefined],
      [2, ['with due', 'with finished']],
    ] as const) {
      texts.length = 0;
      await opened.pay(1);
      await done(watched.events, before);
      // Whatever else it had to ask, it would have by now.
      await opened.elapse(200);
      // Before the first one, it may have looked because it had begun to listen.
      if (expected) expect(texts).toEqual(expected);
    }
    await watched.relay.stop();
  });

  test('goes on looking when the database fails', async () => {
    await using opened = await openOutbox(pool);
    let broken = true;
    await using watched = relayOn(opened, {
      alone: ({ send }) => {
        if (broken) throw new Error('the database system is starting up');
        return send();
      },
    });
    watched.relay.start();
    await vi.waitFor(() => expect(kindsOf(watched.events)).toContain('database-failed'), 10_000);
    await opened.pay(1);
    broken = false;
    await vi.waitFor(() => expect(kindsOf(watched.events)).toContain('job-done'), 10_000);
    await watched.relay.stop();
  });

  test('does not listen on the only connection of its pool', async () => {
    await using opened = await openOutbox(pool);
    await using single = openPool({ max: 1 });
    const outbox = postgresOutbox(single, { tasks, schema: opened.schema });
    const events: RelayEvent[] = [];
    await using relay = createRelay({
      outbox,
      handlers: { pay: () => undefined },
      onEvent: (event) => void events.push(event),
    });
    relay.start();
    await opened.pay(1);
    await done(events, 1);
    await relay.stop();
  });
});

function relayOn(
  { schema }: { schema: string },
  interceptor: Interceptor,
  options: { pollMs?: number } = {},
) {
  const intercepted = interceptedPool(pool, interceptor) as pg.Pool;
  const events: RelayEvent[] = [];
  const outbox = postgresOutbox(intercepted, { tasks, schema });
  const onEvent = (event: RelayEvent) => void events.push(event);
  const relay = createRelay({ outbox, handlers: { pay: () => undefined }, onEvent, ...options });
  return { events, relay, [Symbol.asyncDispose]: () => relay.stop() };
}

async function done(events: readonly RelayEvent[], jobs: number): Promise<void> {
  await vi.waitFor(
    () => expect(kindsOf(events).filter((kind) => kind === 'job-done')).toHaveLength(jobs),
    10_000,
  );
}

async function listening(events: readonly RelayEvent[]): Promise<void> {
  await vi.waitFor(() => expect(kindsOf(events)).toContain('listening-started'), 10_000);
}

function kindsOf(events: readonly RelayEvent[]): string[] {
  return events.map(({ kind }) => kind);
}

/** Ends the connections that listen for jobs of the schema. */
async function endListening(schema: string): Promise<void> {
  await pool.query(
    `select pg_terminate_backend(pid)
       from pg_stat_activity
      where query = 'listen onceward_jobs_' || $1`,
    [schema],
  );
}
