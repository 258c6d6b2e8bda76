import { type AnyIdempotencyError, IdempotencyError, mintKey } from '@onceward/core';
import type { Reservation } from '@onceward/core/store';
import { redisStore } from '@onceward/redis';
import { createEngine, memoryStore } from '@onceward/server';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { expect, inject, test } from 'vitest';
import { mustNotRun } from '../support/must-not-run.ts';

/*
 * What a database gives back was written by this kit, or by a later version of it, or the disk or
 * somebody has changed it. Whatever it is, it is an answer, a refusal or 503, and no second
 * execution.
 */

test('whatever bytes are in a record of Redis, they are read as a record or refused', async () => {
  const redis = new Redis(inject('redisUrl'));
  try {
    const prefix = `fuzz-${mintKey()}:`;
    const store = redisStore(redis, { prefix });
    const pay = createEngine({ store, acceptLoss: true }).mutation({
      operation: 'pay',
      effect: 'external',
    });
    const intent = { scope: 'alice', key: mintKey() };
    await pay.runOnce(intent, () => 'paid');
    const [name = ''] = await redis.keys(`${prefix}*`);
    const good = (await redis.getBuffer(name))!;
    const ttl = await redis.pttl(name);
    // The head says what the record is: what can be read as another record is one. What is behind
    // it, and what is cut off, cannot.
    const damaged = fc.oneof(
      fc.nat(good.length - 1).map((length) => good.subarray(0, length)),
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from([0, ...bytes])),
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from([2, ...bytes])),
      fc
        .record({
          at: fc.integer({ min: 75, max: good.length - 1 }),
          bits: fc.integer({ min: 1, max: 255 }),
        })
        .map(({ at, bits }) => {
          const copy = Buffer.from(good);
          copy[at]! ^= bits;
          return copy;
        }),
    );
    await fc.assert(
      fc.asyncProperty(damaged, async (bytes) => {
        await redis.set(name, bytes, 'PX', ttl);
        await expectNoExecution(() => pay.runOnce(intent, mustNotRun));
      }),
      { numRuns: 500 },
    );
  } finally {
    redis.disconnect();
  }
});

test('whatever a store has for an answer, it is an answer or 410', async () => {
  const store = memoryStore();
  const pay = createEngine({ store, acceptLoss: true }).mutation({
    operation: 'pay',
    effect: 'external',
  });
  const intent = { scope: 'alice', key: mintKey() };
  await pay.runOnce(intent, () => 'paid');
  let stored: Uint8Array = new Uint8Array();
  let kind: 'success' | 'failure' = 'success';
  const reserve = store.reserve.bind(store);
  store.reserve = async (request): Promise<Reservation> => {
    const reservation = await reserve(request);
    if (reservation.kind !== 'completed') return reservation;
    return { ...reservation, outcome: { kind, answer: stored } };
  };
  const answers = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc.jsonValue().map((value) => Buffer.from(`\x01\x00\x01${JSON.stringify(value)}`)),
    fc
      .record({ name: fc.jsonValue(), message: fc.jsonValue(), properties: fc.jsonValue() })
      .map((error) => Buffer.from(`\x01\x00\x01${JSON.stringify(error)}`)),
  );
  await fc.assert(
    fc.asyncProperty(answers, fc.boolean(), async (bytes, failed) => {
      stored = bytes;
      kind = failed ? 'failure' : 'success';
      const running = pay.resultOnce(intent, mustNotRun);
      const ran = await running.catch((error: AnyIdempotencyError) => error.code);
      if (typeof ran === 'string') expect(ran).toBe('IDEMPOTENCY_RESPONSE_UNAVAILABLE');
      else expect(ran.replayed).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

test('a log of steps that was cut off anywhere never has a step done twice, or done wrong', async () => {
  const store = memoryStore();
  const engine = createEngine({ store, acceptLoss: true });
  const book = engine.mutation({ operation: 'book', effect: 'steps' });
  const done: string[] = [];
  const amounts: unknown[] = [];
  const intent = { scope: 'alice', key: mintKey() };
  const run = (crash: boolean) =>
    book.runOnce(intent, async ({ step }) => {
      amounts.push(await step('charge', () => (done.push('charge'), 123_456)));
      if (crash) throw new Error('the process dies');
    });
  await run(true).catch(() => undefined);
  const reserve = store.reserve.bind(store);
  let length = 0;
  let whole = 0;
  store.reserve = async (request) => {
    const reservation = await reserve(request);
    if (reservation.kind !== 'reserved') return reservation;
    whole = reservation.progress.length;
    return { ...reservation, progress: reservation.progress.subarray(0, length) };
  };
  for (length = 1; length <= whole || whole === 0; length++) {
    await run(true).catch(() => undefined);
  }

  expect(whole).toBeGreaterThan(10);
  expect(done).toEqual(['charge']);
  expect(new Set(amounts)).toEqual(new Set([123_456]));
});

async function expectNoExecution(run: () => Promise<{ replayed: boolean }>): Promise<void> {
  try {
    expect((await run()).replayed).toBe(true);
  } catch (error) {
    expect(IdempotencyError.is(error) ? error.code : error).toMatch(/^IDEMPOTENCY_/);
  }
}
