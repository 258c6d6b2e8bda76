import { once } from 'node:events';
import { join } from 'node:path';
import { IdempotencyError, mintKey } from '@onceward/core';
import { createEngine, type ProbePoint } from '@onceward/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleProgram, killNow, type Program } from '../support/node-process.ts';
import { openPostgres, type PostgresFixture } from '../support/open-postgres.ts';
import type { HangPoint } from './payer-process.ts';
import { pay, type PaymentForm } from './payment.ts';

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

const beforeTheEffect: ProbePoint[] = ['before-reserve', 'after-reserve', 'before-execute'];
const afterTheEffect: ProbePoint[] = ['after-execute', 'before-complete'];
const anywhere: HangPoint[] = [...beforeTheEffect, 'in-effect', ...afterTheEffect];

describe('kill -9 before the record is complete', () => {
  test.each(anywhere)('atomic, %s: executes again, takes effect once', async (point) => {
    await using database = await openPostgres();
    const key = await dieAt(point, { database, form: 'atomic' });
    expect(await database.effects(key)).toBe(0);
    expect(await retry(key, { database, form: 'atomic' })).toMatchObject({ replayed: false });
    expect(await database.effects(key)).toBe(1);
    expect(await retry(key, { database, form: 'atomic' })).toMatchObject({ replayed: true });
    expect(await database.effects(key)).toBe(1);
  });

  const reserved = anywhere.filter((point) => point !== 'before-reserve');
  test.each(reserved)('external, %s: is unknown, and never executes again', async (point) => {
    await using database = await openPostgres();
    const key = await dieAt(point, { database, form: 'external' });
    const effects = await database.effects(key);
    expect(effects).toBe(beforeTheEffect.some((before) => before === point) ? 0 : 1);
    for (let delivery = 0; delivery < 3; delivery++) {
      await expect(retry(key, { database, form: 'external' })).rejects.toMatchObject({
        code: 'IDEMPOTENCY_OUTCOME_UNKNOWN',
      });
    }
    expect(await database.effects(key)).toBe(effects);
  });

  test('external, before-reserve: nobody knows the key, so it executes', async () => {
    await using database = await openPostgres();
    const key = await dieAt('before-reserve', { database, form: 'external' });
    expect(await retry(key, { database, form: 'external' })).toMatchObject({ replayed: false });
    expect(await database.effects(key)).toBe(1);
  });

  // In the middle of an outside call only its downstream key helps, see the payment examples.
  const atSteps = anywhere.filter((point) => point !== 'in-effect');
  test.each(atSteps)('steps, %s: resumes, and a finished step runs once', async (point) => {
    await using database = await openPostgres();
    const key = await dieAt(point, { database, form: 'steps' });
    expect(await retry(key, { database, form: 'steps' })).toMatchObject({ value: 'paid' });
    expect(await database.effects(key)).toBe(1);
  });

  test.each(anywhere)('a step with a transaction, %s: takes effect once', async (point) => {
    await using database = await openPostgres();
    const form = 'transactional-steps';
    const key = await dieAt(point, { database, form });
    const ended = afterTheEffect.some((after) => after === point);
    expect(await database.effects(key)).toBe(ended ? 1 : 0);
    expect(await retry(key, { database, form })).toMatchObject({ value: 'paid' });
    expect(await database.effects(key)).toBe(1);
  });

  test('natural: executes again', async () => {
    await using database = await openPostgres();
    const key = await dieAt('before-complete', { database, form: 'natural' });
    expect(await retry(key, { database, form: 'natural' })).toMatchObject({ replayed: false });
    expect(await database.effects(key)).toBe(2);
  });
});

describe('kill -9 after complete', () => {
  const forms = ['atomic', 'external', 'steps', 'transactional-steps', 'natural'] as const;
  test.each(forms)('%s: replays', async (form) => {
    await using database = await openPostgres();
    const key = await dieAt('after-complete', { database, form });
    expect(await retry(key, { database, form })).toMatchObject({ value: 'paid', replayed: true });
    expect(await database.effects(key)).toBe(1);
  });
});

interface Setting {
  readonly database: PostgresFixture;
  readonly form: PaymentForm;
}

/** Runs one attempt in a process of its own and kills it at the point. */
async function dieAt(point: HangPoint, { database, form }: Setting): Promise<string> {
  const key = mintKey();
  const { url, schema } = database;
  const child = server.start({ url, schema, key, form, hangAt: point, leaseMs });
  const [message] = (await once(child, 'message')) as [string];
  expect(message).toBe(point);
  await killNow(child);
  return key;
}

/** Delivers the intent to another server, which is asked again while it says "in progress". */
async function retry(key: string, { database, form }: Setting) {
  const engine = createEngine({ store: database.store(), leaseMs });
  const charge = (through?: Parameters<typeof database.record>[1]) => database.record(key, through);
  const deadline = Date.now() + 10_000;
  for (;;) {
    try {
      return await pay({ engine, key, form, charge });
    } catch (error) {
      const waits = IdempotencyError.is(error) && error.code === 'IDEMPOTENCY_IN_PROGRESS';
      if (!waits || Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, error.details.retryAfterMs));
    }
  }
}
