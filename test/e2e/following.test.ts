import { following } from '@onceward/core';
import { graphileOutbox, pgBossOutbox, postgresOutbox } from '@onceward/postgres/outbox';
import { memoryStore } from '@onceward/server';
import { idempotentTypeDefs, wrapExecute } from '@onceward/server/graphql';
import { createIdempotency, idempotencyErrorFormatter } from '@onceward/server/trpc';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { initTRPC } from '@trpc/server';
import pg from 'pg';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { execute, parse } from '../../packages/server/test/host-graphql.ts';

beforeEach(() => Object.assign(following(), { asked: false, missed: 0 }));

function openTrpc() {
  const t = initTRPC.create({ errorFormatter: idempotencyErrorFormatter() });
  return createIdempotency(t, { store: memoryStore(), acceptLoss: true, scope: () => 'alice' });
}

describe('intents are followed', () => {
  test.each(['trpc', 'apollo', 'urql', 'fetch', ''])(
    'as soon as a client is loaded, before one is made: %s',
    async (entry) => {
      vi.resetModules();
      await import(`@onceward/client${entry && '/'}${entry}`);
      expect(following().asked).toBe(true);
    },
  );

  test('where procedures begin with `unwrap`, because they may call each other', () => {
    const once = openTrpc();
    expect(following().asked).toBe(false);
    expect(once.unwrap).toBeTypeOf('function');
    expect(following().asked).toBe(true);
  });

  test.each([
    ['our own', (pool: pg.Pool) => postgresOutbox(pool, { tasks: {} })],
    ['graphile-worker', (pool: pg.Pool) => graphileOutbox(pool, { tasks: {} })],
    ['pg-boss', (pool: pg.Pool) => pgBossOutbox(pool, { tasks: {}, boss: {} as never })],
  ])('where an outbox is made, before it is given a job: %s', (_, open) => {
    // It connects to nothing before it is asked to.
    open(new pg.Pool());
    expect(following().asked).toBe(true);
  });

  test('where a key is optional, because a call inside a mutation would seem to have none', () => {
    const once = openTrpc();
    once.guard({ effect: 'external' });
    expect(following().asked).toBe(false);
    once.guard({ effect: 'external', required: false });
    expect(following().asked).toBe(true);
  });

  test.each(['required: true', 'required: false'])('where a field has %s', async (required) => {
    const schema = makeExecutableSchema({
      typeDefs: [
        idempotentTypeDefs,
        `type Query { ok: Boolean } type Mutation { pay: String @idempotent(effect: EXTERNAL, ${required}) }`,
      ],
    });
    const options = { store: memoryStore(), acceptLoss: true, scope: () => 'alice' };
    const wrapped = wrapExecute(execute, { ...options, request: () => ({}) });
    await wrapped({ schema, document: parse('{ ok }'), contextValue: {} });
    await wrapped({ schema, document: parse('mutation { pay }'), contextValue: {} });
    expect(following().asked).toBe(required === 'required: false');
  });
});
