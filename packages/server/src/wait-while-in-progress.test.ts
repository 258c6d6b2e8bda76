import { mintKey } from '@onceward/core';
import { describe, expect, test } from 'vitest';
import { deferred } from '../../../test/support/deferred.ts';
import { openEngine } from '../../../test/support/engine-fixture.ts';
import { mustNotRun } from '../../../test/support/must-not-run.ts';
import { createVirtualClock } from '../../../test/support/virtual-clock.ts';
import { createEngine } from './engine.ts';
import { memoryStore } from './memory/memory-store.ts';

describe('a duplicate of a mutation that is executing', () => {
  test('gets 409 and when to come back, by default', async () => {
    const { mutation, newKey, clock } = openEngine();
    const intent = { scope: 'alice', key: newKey() };
    const payment = deferred<string>();
    const first = mutation().runOnce(intent, () => payment.promise);
    await clock.advance(0);
    await expect(mutation().runOnce(intent, mustNotRun)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_IN_PROGRESS',
      httpStatus: 409,
      details: { retryAfterMs: 1_000 },
    });
    payment.resolve('paid');
    await first;
  });

  test('is not told to wait for longer than the lease lasts', async () => {
    const { mutation, newKey, clock } = openEngine();
    const pay = mutation({ leaseMs: 300 });
    const intent = { scope: 'alice', key: newKey() };
    const payment = deferred<string>();
    const first = pay.runOnce(intent, () => payment.promise);
    await clock.advance(0);
    await expect(pay.runOnce(intent, mustNotRun)).rejects.toMatchObject({
      details: { retryAfterMs: 300 },
    });
    payment.resolve('paid');
    await first;
  });

  test('gets 202 and when to come back, and its status can be asked for', async () => {
    const { mutation, newKey, clock } = openEngine();
    const pay = mutation({ inProgress: { mode: 'accepted', retryAfterMs: 500 } });
    const intent = { scope: 'alice', key: newKey() };
    expect(await pay.status(intent)).toBe('absent');
    const payment = deferred<string>();
    const first = pay.runOnce(intent, () => payment.promise);
    await clock.advance(0);
    await expect(pay.runOnce(intent, mustNotRun)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_IN_PROGRESS',
      httpStatus: 202,
      details: { retryAfterMs: 500 },
    });
    expect(await pay.status(intent)).toBe('in-progress');
    payment.resolve('paid');
    await first;
    expect(await pay.status(intent)).toBe('completed');
  });

  test('that waits gets the answer when it is there', async () => {
    const { mutation, newKey, clock } = openEngine({ inProgress: 'wait' });
    const intent = { scope: 'alice', key: newKey() };
    const payment = deferred<string>();
    const first = mutation().runOnce(intent, () => payment.promise);
    const second = mutation().runOnce(intent, mustNotRun);
    await clock.advance(100);
    payment.resolve('paid');
    await clock.advance(200);
    expect(await first).toMatchObject({ value: 'paid', replayed: false });
    expect(await second).toMatchObject({ value: 'paid', replayed: true });
  });

  test('that waits executes when the other attempt gave up', async () => {
    const { mutation, newKey, clock } = openEngine({ inProgress: 'wait' });
    const rename = mutation({ effect: 'natural' });
    const intent = { scope: 'alice', key: newKey() };
    const renaming = deferred<string>();
    const first = expect(rename.runOnce(intent, () => renaming.promise)).rejects.toThrow('oops');
    const second = rename.runOnce(intent, () => 'renamed');
    await clock.advance(100);
    renaming.reject(new Error('oops'));
    await clock.advance(200);
    await first;
    expect(await second).toMatchObject({ value: 'renamed', replayed: false });
  });

  test('waits no longer than maxWaitMs', async () => {
    const { mutation, newKey, clock } = openEngine({
      inProgress: { mode: 'wait', maxWaitMs: 400 },
    });
    const intent = { scope: 'alice', key: newKey() };
    const payment = deferred<string>();
    const first = mutation().runOnce(intent, () => payment.promise);
    const refused = expect(mutation().runOnce(intent, mustNotRun)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_IN_PROGRESS',
    });
    await clock.advance(400);
    await refused;
    payment.resolve('paid');
    await first;
  });

  test('waits no longer because the clock is set back', async () => {
    const clock = createVirtualClock();
    let setBackMs = 0;
    const engine = createEngine({
      ...{ store: memoryStore(), acceptLoss: true, inProgress: 'wait' },
      clock: { ...clock, now: () => clock.now() - setBackMs },
    });
    const pay = engine.mutation({ operation: 'pay', effect: 'external' });
    const intent = { scope: 'alice', key: mintKey() };
    const payment = deferred<string>();
    const first = pay.runOnce(intent, () => payment.promise);
    const refused: unknown[] = [];
    pay.runOnce(intent, mustNotRun).catch((error: unknown) => refused.push(error));
    await clock.advance(500);
    setBackMs = 3_600_000;
    await clock.advance(1_000);
    expect(refused).toEqual([expect.objectContaining({ code: 'IDEMPOTENCY_IN_PROGRESS' })]);
    payment.resolve('paid');
    await first;
  });

  test('does not wait when too many wait already', async () => {
    const { mutation, newKey, clock } = openEngine({ inProgress: { mode: 'wait', maxWaiters: 1 } });
    const intent = { scope: 'alice', key: newKey() };
    const payment = deferred<string>();
    const first = mutation().runOnce(intent, () => payment.promise);
    await clock.advance(0);
    const waiting = mutation().runOnce(intent, mustNotRun);
    await clock.advance(0);
    await expect(mutation().runOnce(intent, mustNotRun)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_IN_PROGRESS',
    });
    payment.resolve('paid');
    await clock.advance(200);
    expect(await first).toMatchObject({ replayed: false });
    expect(await waiting).toMatchObject({ replayed: true });
  });
});
