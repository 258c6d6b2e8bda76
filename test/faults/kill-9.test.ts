import { once } from 'node:events';
import { join } from 'node:path';
import { IdempotencyError, mintKey } from '@onceward/core';
import { createEngine, type Effect, type ProbePoint } from '@onceward/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleProgram, killNow, type Program } from '../support/node-process.ts';
import { openPostgres, type PostgresFixture } from '../support/open-postgres.ts';

/**
 * A server process is killed with -9 at a named point of an attempt; another server gets the
 * same intent. What must happen then follows from the effect alone.
 */
const leaseMs = 400;
let server: Program;
beforeAll(async () => {
  server = await bundleProgram(join(import.meta.dirname, 'payer-process.ts'));
});
afterAll(() => server[Symbol.dispose]());

const beforeTheEffect: ProbePoint[] = ['after-reserve', 'before-execute'];
const afterTheEffect: ProbePoint[] = ['after-execute', 'before-complete'];
const anywhere = [...beforeTheEffect, ...afterTheEffect];

describe('kill -9 between reserve and complete', () => {
  test.each(anywhere)('atomic, %s: executes again, takes effect once', async (point) => {
    await using database = await openPostgres();
    const key = await dieAt(point, { database, effect: 'atomic' });
    expect(await database.effects(key)).toBe(0);
    expect(await retry(key, { database, effect: 'atomic' })).toMatchObject({ replayed: false });
    expect(await database.effects(key)).toBe(1);
    expect(await retry(key, { database, effect: 'atomic' })).toMatchObject({ replayed: true });
    expect(await database.effects(key)).toBe(1);
  });

  test.each(anywhere)('external, %s: is unknown, and never executes again', async (point) => {
    await using database = await openPostgres();
    const key = await dieAt(point, { database, effect: 'external' });
    const effects = await database.effects(key);
    expect(effects).toBe(afterTheEffect.includes(point) ? 1 : 0);
    for (let delivery = 0; delivery < 3; delivery++) {
      await expect(retry(key, { database, effect: 'external' })).rejects.toMatchObject({
        code: 'IDEMPOTENCY_OUTCOME_UNKNOWN',
      });
    }
    expect(await database.effects(key)).toBe(effects);
  });

  test.each(anywhere)('steps, %s: resumes, and a finished step runs once', async (point) => {
    await using database = await openPostgres();
    const key = await dieAt(point, { database, effect: 'steps' });
    expect(await retry(key, { database, effect: 'steps' })).toMatchObject({ value: 'paid' });
    expect(await database.effects(key)).toBe(1);
  });

  test('natural: executes again', async () => {
    await using database = await openPostgres();
    const key = await dieAt('before-complete', { database, effect: 'natural' });
    expect(await retry(key, { database, effect: 'natural' })).toMatchObject({ replayed: false });
    expect(await database.effects(key)).toBe(2);
  });
});

describe('kill -9 after complete', () => {
  test.each(['atomic', 'external', 'steps', 'natural'] as const)('%s: replays', async (effect) => {
    await using database = await openPostgres();
    const key = await dieAt('after-complete', { database, effect });
    expect(await retry(key, { database, effect })).toMatchObject({ value: 'paid', replayed: true });
    expect(await database.effects(key)).toBe(1);
  });
});

interface Setting {
  readonly database: PostgresFixture;
  readonly effect: Effect;
}

/** Runs one attempt in a process of its own and kills it at the point. */
async function dieAt(point: ProbePoint, { database, effect }: Setting): Promise<string> {
  const key = mintKey();
  const { url, schema } = database;
  const child = server.start({ url, schema, key, effect, hangAt: point, leaseMs });
  const [message] = (await once(child, 'message')) as [string];
  expect(message).toBe(point);
  await killNow(child);
  return key;
}

/** Delivers the intent to another server, which is asked again while it says "in progress". */
async function retry(key: string, { database, effect }: Setting) {
  const engine = createEngine({ store: database.store(), leaseMs });
  const intent = { scope: 'alice', key, input: { amount: 100 } };
  const options = { operation: 'pay' };
  const deliver = () => {
    switch (effect) {
      case 'atomic':
        return engine
          .mutation({ ...options, effect })
          .runOnce(intent, ({ tx }) => database.record(key, tx).then(() => 'paid'));
      case 'steps':
        return engine.mutation({ ...options, effect }).runOnce(intent, async ({ step }) => {
          await step('charge', () => database.record(key));
          return 'paid';
        });
      case 'external':
      case 'natural':
        return engine
          .mutation({ ...options, effect })
          .runOnce(intent, () => database.record(key).then(() => 'paid'));
    }
  };
  const deadline = Date.now() + 10_000;
  for (;;) {
    try {
      return await deliver();
    } catch (error) {
      const waits = IdempotencyError.is(error) && error.code === 'IDEMPOTENCY_IN_PROGRESS';
      if (!waits || Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, error.details.retryAfterMs));
    }
  }
}
