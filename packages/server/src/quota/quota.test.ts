import { describe, expect, test } from 'vitest';
import { deferred } from '../../../../test/support/deferred.ts';
import type { EngineEvent } from '../hooks/engine-event.ts';
import { collectGarbage } from '../../../../test/support/collect-garbage.ts';
import { createVirtualClock } from '../../../../test/support/virtual-clock.ts';
import { createScopeQuota } from './scope-quota.ts';
import { openEngine } from '../../../../test/support/engine-fixture.ts';
import { mustNotRun } from '../../../../test/support/must-not-run.ts';

describe('a quota of new keys', () => {
  const quota = { newKeys: { limit: 2, windowMs: 10_000 } };

  test('refuses the intent beyond it, and says when to come back', async () => {
    const { mutation, newKey, clock } = openEngine({ quota });
    for (let intent = 0; intent < 2; intent++) {
      await mutation().runOnce({ scope: 'alice', key: newKey() }, () => 'paid');
    }
    await clock.advance(4_000);
    const third = { scope: 'alice', key: newKey() };
    await expect(mutation().runOnce(third, mustNotRun)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_QUOTA_EXCEEDED',
      httpStatus: 429,
      details: { retryAfterMs: 6_000 },
    });
    await clock.advance(6_000);
    expect(await mutation().runOnce(third, () => 'paid')).toMatchObject({ replayed: false });
  });

  test('keeps nobody out for longer because the clock is set back', async () => {
    const { mutation, newKey, clock } = openEngine({ quota });
    const key = newKey();
    for (let intent = 0; intent < 2; intent++) {
      await mutation().runOnce({ scope: 'alice', key: newKey() }, () => 'paid');
    }
    clock.jump(-60_000);
    expect(await mutation().runOnce({ scope: 'alice', key }, () => 'paid')).toMatchObject({
      replayed: false,
    });
  });

  test('does not count what was refused before the handler ran, nor later attempts', async () => {
    const { mutation, newKey, line } = openEngine({ quota });
    const rename = mutation({ effect: 'natural' });
    const intent = { scope: 'alice', key: newKey() };
    line.fail('reserve', 'lost-request', 6);
    for (let delivery = 0; delivery < 3; delivery++) {
      await expect(rename.runOnce(intent, mustNotRun)).rejects.toMatchObject({ httpStatus: 503 });
    }
    for (let attempt = 0; attempt < 3; attempt++) {
      const failing = rename.runOnce(intent, () => Promise.reject(new Error('oops')));
      await expect(failing).rejects.toThrow('oops');
    }
    await rename.runOnce({ scope: 'alice', key: newKey() }, () => 'renamed');
  });

  test('counts what is executed without a key', async () => {
    const { mutation } = openEngine({ quota });
    const pay = mutation({ key: 'optional' });
    const intent = { scope: 'alice', key: undefined };
    for (let delivery = 0; delivery < 2; delivery++) await pay.runOnce(intent, () => 'paid');
    await expect(pay.runOnce(intent, mustNotRun)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_QUOTA_EXCEEDED',
    });
  });

  test('does not count replays, conflicts or other scopes', async () => {
    const { mutation, newKey, clock } = openEngine({ quota });
    const first = { scope: 'alice', key: newKey() };
    const second = { scope: 'alice', key: newKey() };
    await mutation().runOnce(first, () => 'paid');
    const payment = deferred<string>();
    const running = mutation().runOnce(second, () => payment.promise);
    await clock.advance(0);
    for (let delivery = 0; delivery < 5; delivery++) {
      expect(await mutation().runOnce(first, mustNotRun)).toMatchObject({ replayed: true });
      await expect(mutation().runOnce(second, mustNotRun)).rejects.toMatchObject({
        code: 'IDEMPOTENCY_IN_PROGRESS',
      });
    }
    await mutation().runOnce({ scope: 'bob', key: newKey() }, () => 'paid');
    payment.resolve('paid');
    await running;
  });
});

describe('a quota of attempts at once', () => {
  test('refuses those beyond it until one has ended', async () => {
    const { mutation, newKey, clock } = openEngine({ quota: { maxInProgress: 1 } });
    const payment = deferred<string>();
    const running = mutation().runOnce({ scope: 'alice', key: newKey() }, () => payment.promise);
    await clock.advance(0);
    const other = { scope: 'alice', key: newKey() };
    await expect(mutation().runOnce(other, mustNotRun)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_QUOTA_EXCEEDED',
    });
    payment.resolve('paid');
    await running;
    await mutation().runOnce(other, () => 'paid');
  });
});

describe('a rate limit of the application', () => {
  test('is asked before a handler runs, and not for replays', async () => {
    const asked: string[] = [];
    const { mutation, newKey } = openEngine({
      hooks: {
        admit: ({ scope, operation }) => {
          asked.push(`${scope} ${operation}`);
          return { kind: 'admit' };
        },
      },
    });
    const intent = { scope: 'alice', key: newKey() };
    await mutation().runOnce(intent, () => 'paid');
    await mutation().runOnce(intent, mustNotRun);
    expect(asked).toEqual(['alice pay']);
  });

  test('is asked for deliveries without a key, too', async () => {
    const admit = () => ({ kind: 'refuse', retryAfterMs: 250 }) as const;
    const { mutation } = openEngine({ hooks: { admit } });
    const pay = mutation({ key: 'optional' });
    await expect(pay.runOnce({ scope: 'alice', key: undefined }, mustNotRun)).rejects.toMatchObject(
      { code: 'IDEMPOTENCY_QUOTA_EXCEEDED' },
    );
  });

  test('that refuses frees the key, so that the same intent can come back', async () => {
    let open = false;
    const { mutation, newKey } = openEngine({
      hooks: {
        admit: () => (open ? { kind: 'admit' } : { kind: 'refuse', retryAfterMs: 250 }),
      },
    });
    const intent = { scope: 'alice', key: newKey() };
    await expect(mutation().runOnce(intent, mustNotRun)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_QUOTA_EXCEEDED',
      details: { retryAfterMs: 250 },
    });
    open = true;
    expect(await mutation().runOnce(intent, () => 'paid')).toMatchObject({ value: 'paid' });
  });

  test('that fails refuses too', async () => {
    const admit = () => {
      throw new Error('limiter down');
    };
    const events: EngineEvent[] = [];
    const onEvent = (event: EngineEvent) => void events.push(event);
    const { mutation, newKey } = openEngine({ hooks: { admit, onEvent } });
    const intent = { scope: 'alice', key: newKey() };
    await expect(mutation().runOnce(intent, mustNotRun)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_STORE_UNAVAILABLE',
      message: expect.stringContaining('rate limit') as string,
    });
    expect(events.map(({ kind }) => kind)).toContain('admission-failed');
    expect(events.map(({ kind }) => kind)).not.toContain('store-failed');
  });
});

test('scopes that have done nothing for a window are forgotten', async () => {
  const clock = createVirtualClock();
  const quota = createScopeQuota({ newKeys: { limit: 2, windowMs: 10_000 } }, clock);
  const enter = (scope: string) => {
    const ticket = quota.enter(scope);
    if (ticket.kind === 'entered') ticket.leave();
  };
  const usedBytes = async () => {
    await collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const before = await usedBytes();
  for (let scope = 0; scope < 100_000; scope++) enter(`user-${scope}`);
  const full = await usedBytes();
  await clock.advance(20_000);
  enter('alice');
  const after = await usedBytes();
  expect(full - before).toBeGreaterThan(5_000_000);
  expect(after - before).toBeLessThan((full - before) / 4);
  // Whoever is still there is counted as before.
  enter('alice');
  expect(quota.enter('alice').kind).toBe('refused');
});
