import { type IdempotencyKey, IdempotencyError, mintKey } from '@onceward/core';
import type { Store } from '@onceward/core/store';
import { postgresStore } from '@onceward/postgres';
import { redisStore } from '@onceward/redis';
import { createEngine, type Mutation } from '@onceward/server';
import { Redis } from 'ioredis';
import { describe, expect, inject, test } from 'vitest';
import { openPostgres } from '../support/open-postgres.ts';

const keys = 500;
const deliveriesPerKey = 64;
const connections = 8;

/**
 * Eight servers with one connection each get every intent 64 times at once.
 *
 * The ledger is a counter in this process: what is counted is that the handler ran.
 */
describe(`${deliveriesPerKey} deliveries at once of ${keys} keys over ${connections} connections`, () => {
  test('execute each key once on PostgreSQL', { timeout: 120_000 }, async () => {
    await using database = await openPostgres();
    const stores = Array.from({ length: connections }, () => database.store({ max: 1 }));
    await expectOneExecutionEach(stores);
  });

  test('execute each key once on Redis', { timeout: 120_000 }, async () => {
    const clients = Array.from({ length: connections }, () => new Redis(inject('redisUrl')));
    try {
      const prefix = `race-${mintKey()}:`;
      await expectOneExecutionEach(clients.map((client) => redisStore(client, { prefix })));
    } finally {
      for (const client of clients) client.disconnect();
    }
  });

  test(
    'execute each key once in the transactions of PostgreSQL',
    { timeout: 120_000 },
    async () => {
      await using database = await openPostgres();
      const servers = Array.from({ length: connections }, () =>
        createEngine({
          store: postgresStore(database.pool, { schema: database.schema }),
        }).mutation({ operation: 'pay', effect: 'atomic' }),
      );
      const intents = Array.from({ length: 50 }, () => mintKey());
      const deliveries = intents.flatMap((key) =>
        Array.from({ length: deliveriesPerKey }, (_, delivery) =>
          servers[delivery % connections]!.runOnce({ scope: 'alice', key }, ({ tx }) =>
            database.record(key, tx),
          ).catch(expectConflict),
        ),
      );
      await Promise.all(deliveries);
      for (const key of intents) expect(await database.effects(key)).toBe(1);
    },
  );
});

async function expectOneExecutionEach(stores: readonly Store[]): Promise<void> {
  const servers = stores.map((store) =>
    createEngine({ store, acceptLoss: true, storeTimeoutMs: 60_000 }).mutation({
      ...{ operation: 'pay', effect: 'external' },
    }),
  );
  const executions = new Map<IdempotencyKey, number>();
  let conflicts = 0;
  let replays = 0;
  for (let batch = 0; batch < keys / 25; batch++) {
    const intents = Array.from({ length: 25 }, () => mintKey());
    await Promise.all(
      intents.flatMap((key) =>
        Array.from({ length: deliveriesPerKey }, async (_, delivery) => {
          const server = servers[delivery % servers.length] as Mutation<'external', never>;
          try {
            const run = await server.runOnce({ scope: 'alice', key }, () => {
              executions.set(key, (executions.get(key) ?? 0) + 1);
            });
            if (run.replayed) replays++;
          } catch (error) {
            expectConflict(error);
            conflicts++;
          }
        }),
      ),
    );
  }
  const total = [...executions.values()].reduce((sum, count) => sum + count, 0);
  console.log(
    `${executions.size} keys, ${total} executions, ${conflicts} conflicts, ${replays} replays`,
  );
  expect(executions.size).toBe(keys);
  expect(total).toBe(keys);
  expect(total + conflicts + replays).toBe(keys * deliveriesPerKey);
}

function expectConflict(error: unknown): void {
  if (IdempotencyError.is(error) && error.code === 'IDEMPOTENCY_IN_PROGRESS') return;
  throw error;
}
