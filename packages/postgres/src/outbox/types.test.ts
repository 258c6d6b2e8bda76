import type { PGlite, Transaction } from '@electric-sql/pglite';
import type pg from 'pg';
import { expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { postgresOutbox } from './postgres-outbox.ts';
import { createRelay } from './relay/relay.ts';
import { task } from './task.ts';

declare const pool: pg.Pool;
declare const client: pg.PoolClient;
declare const pglite: PGlite;
const open = () =>
  postgresOutbox(pool, {
    tasks: {
      pay: task<{ cents: number }>(),
      remind: task({
        payload: z.object({ at: z.iso.datetime().transform((text) => new Date(text)) }),
        lane: ({ at }) => {
          expectTypeOf(at).toEqualTypeOf<string>();
          return at;
        },
      }),
    },
  });

/** Compiled, never called. */
export function compiles(): void {
  const outbox = open();
  void outbox.enqueue(client, 'pay', { cents: 1 });
  void outbox.enqueue(client, 'remind', { at: '2026-01-02T03:04:05Z' });
  // @ts-expect-error: no such task
  void outbox.enqueue(client, 'pya', { cents: 1 });
  // @ts-expect-error: another payload
  void outbox.enqueue(client, 'pay', { euros: 1 });
  // @ts-expect-error: what the schema takes, not what it makes of it
  void outbox.enqueue(client, 'remind', { at: new Date() });
  // @ts-expect-error: a pool is no transaction
  void outbox.enqueue(pool, 'pay', { cents: 1 });

  createRelay({
    outbox,
    handlers: {
      pay: ({ payload }) => expectTypeOf(payload).toEqualTypeOf<{ cents: number }>(),
      remind: {
        transaction: ({ payload, tx }) => {
          expectTypeOf(payload.at).toEqualTypeOf<Date>();
          expectTypeOf(tx).toEqualTypeOf<pg.PoolClient>();
        },
        maxAttempts: 3,
      },
    },
  });
  createRelay({
    outbox,
    handlers: {
      // @ts-expect-error: either, not both
      pay: { run: () => undefined, transaction: () => undefined },
    },
  });
  const embedded = postgresOutbox(pglite, { tasks: { pay: task<{ cents: number }>() } });
  createRelay({
    outbox: embedded,
    handlers: {
      pay: { transaction: ({ tx }) => expectTypeOf(tx).toEqualTypeOf<Transaction>() },
    },
  });
}

test('tasks, payloads and transactions are typed from the driver to the handler', () => {
  expectTypeOf(compiles).toBeFunction();
});
