import type { ReconcilingStore } from '@onceward/core/store';
import { describe, expect, test, vi } from 'vitest';
import { openEngine } from '../../../../test/support/engine-fixture.ts';
import { mustNotRun } from '../../../../test/support/must-not-run.ts';
import type { EngineEvent } from '../hooks/engine-event.ts';
import { createReconciler, type ReconcilerOptions } from './reconciler.ts';
import type { Resolve } from './resolve.ts';

const minute = 60_000;

/** A payment whose outcome nobody knows, and a reconciler that asks `resolve` about it. */
async function openUnknown(resolve: Resolve, options: Partial<ReconcilerOptions> = {}) {
  const fixture = openEngine();
  const { mutation, newKey, line, clock } = fixture;
  const pay = mutation({ resolve });
  const intent = { scope: ['shop', 'alice'], key: newKey() };
  await expect(
    pay.runOnce(intent, () => Promise.reject(new Error('timeout'))),
  ).rejects.toMatchObject({ code: 'IDEMPOTENCY_OUTCOME_UNKNOWN' });
  const events: EngineEvent[] = [];
  const reconciler = createReconciler({
    store: line.store as ReconcilingStore,
    mutations: [pay],
    clock,
    random: () => 1,
    hooks: { onEvent: (event) => void events.push(event) },
    ...options,
  });
  return { ...fixture, pay, intent, events, reconciler };
}

const report = { settled: 0, unsure: 0, failed: 0, dead: 0, gone: 0 };

describe('evidence', () => {
  test('that it took effect completes the record with the value that was found', async () => {
    const resolve = vi.fn<Resolve>(() => ({ kind: 'executed', value: { chargeId: 'ch_1' } }));
    const { reconciler, pay, intent, events } = await openUnknown(resolve);
    expect(await reconciler.run()).toEqual({ ...report, settled: 1 });
    expect(await pay.runOnce(intent, mustNotRun)).toMatchObject({
      value: { chargeId: 'ch_1' },
      replayed: true,
    });
    expect(resolve.mock.calls[0]?.[0]).toMatchObject({
      scope: '["shop","alice"]',
      key: intent.key,
      operation: 'pay',
      attempt: 1,
      look: 1,
    });
    expect(events.map(({ kind }) => kind)).toEqual(['lookup-started', 'outcome-settled']);
  });

  test('that nobody knows the answer of is answered with 410, and executes nothing', async () => {
    const { reconciler, pay, intent } = await openUnknown(() => ({ kind: 'executed' }));
    await reconciler.run();
    await expect(pay.runOnce(intent, mustNotRun)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_RESPONSE_UNAVAILABLE',
      details: { reason: 'settled' },
    });
  });

  test('of a handler that returns nothing is replayed as nothing', async () => {
    const { reconciler, pay, intent } = await openUnknown(() => ({
      kind: 'executed',
      value: undefined,
    }));
    await reconciler.run();
    expect(await pay.runOnce(intent, mustNotRun)).toMatchObject({ value: undefined });
  });

  test('that it did not happen counts when the quiet time is over, and not before', async () => {
    const resolve = vi.fn<Resolve>(() => ({ kind: 'not-executed', quietMs: 10 * minute }));
    const { reconciler, pay, intent, clock } = await openUnknown(resolve, { maxLooks: 1 });
    expect(await reconciler.run()).toEqual({ ...report, unsure: 1 });
    await clock.advance(9 * minute);
    expect(await reconciler.run()).toEqual(report);
    await expect(pay.runOnce(intent, mustNotRun)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_OUTCOME_UNKNOWN',
    });
    await clock.advance(minute);
    expect(await reconciler.run()).toEqual({ ...report, settled: 1 });
    expect(await pay.runOnce(intent, () => 'second attempt')).toMatchObject({
      value: 'second attempt',
    });
  });

  test('of absence that was looked for before the quiet time was over does not count', async () => {
    const absence = { kind: 'not-executed', quietMs: 10 * minute } as const;
    let answer = () => {};
    const slow = new Promise<typeof absence>((done) => (answer = () => done(absence)));
    const resolve = vi.fn<Resolve>(() => absence).mockReturnValueOnce(slow);
    const { reconciler, pay, intent, clock } = await openUnknown(resolve, { lookMs: 5 * minute });
    await clock.advance(8 * minute);
    const looking = reconciler.run();
    await clock.advance(4 * minute);
    // What the provider said four minutes ago: since then, it may have happened.
    answer();
    expect(await looking).toEqual({ ...report, unsure: 1 });
    await expect(pay.runOnce(intent, mustNotRun)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_OUTCOME_UNKNOWN',
    });
    await clock.advance(minute);
    expect(await reconciler.run()).toEqual({ ...report, settled: 1 });
  });

  test('that comes after somebody else settled it changes nothing', async () => {
    const settleMeanwhile = async () => {
      await pay.settle(intent, { kind: 'executed', value: 'by webhook' });
      return { kind: 'executed', value: 'too late' } as const;
    };
    const { reconciler, pay, intent } = await openUnknown(() => settleMeanwhile());
    expect(await reconciler.run()).toEqual({ ...report, gone: 1 });
    expect(await pay.runOnce(intent, mustNotRun)).toMatchObject({ value: 'by webhook' });
  });

  test('about an attempt that is no longer the last one changes nothing', async () => {
    const payAgainMeanwhile = async () => {
      await pay.settle(intent, { kind: 'not-executed', quietMs: 0 });
      await pay.runOnce(intent, () => Promise.reject(new Error('timeout'))).catch(() => undefined);
      return { kind: 'not-executed', quietMs: 0 } as const;
    };
    const { reconciler, pay, intent } = await openUnknown(
      vi.fn<Resolve>(() => ({ kind: 'unsure' })).mockImplementationOnce(() => payAgainMeanwhile()),
    );
    await reconciler.run();
    await expect(pay.runOnce(intent, mustNotRun)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_OUTCOME_UNKNOWN',
    });
  });

  test('that names another attempt is none about this one', async () => {
    const { reconciler, pay, intent } = await openUnknown(() => ({
      kind: 'not-executed',
      quietMs: 0,
      attempt: 7,
    }));
    expect(await reconciler.run()).toEqual({ ...report, unsure: 1 });
    await expect(pay.runOnce(intent, mustNotRun)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_OUTCOME_UNKNOWN',
    });
  });

  test('carries who found it, beside what the application says was found', async () => {
    const { reconciler, line } = await openUnknown(() => ({
      kind: 'executed',
      audit: { evidence: { chargeId: 'ch_1' } },
    }));
    const settle = vi.spyOn(line.store, 'settle');
    await reconciler.run();
    expect(settle.mock.calls[0]?.[1].audit).toEqual({
      actor: 'reconciler',
      evidence: { chargeId: 'ch_1' },
    });
  });
});

describe('without evidence', () => {
  test('it is looked into again, after twice the time, and in the end by nobody', async () => {
    const resolve = vi.fn<Resolve>(() => ({ kind: 'unsure' }));
    const { reconciler, clock, intent, pay, events } = await openUnknown(resolve, {
      firstDelayMs: minute,
      maxLooks: 3,
    });
    expect(await reconciler.run()).toEqual({ ...report, unsure: 1 });
    await clock.advance(minute - 1);
    expect(await reconciler.run()).toEqual(report);
    await clock.advance(1);
    expect(await reconciler.run()).toEqual({ ...report, unsure: 1 });
    await clock.advance(2 * minute);
    expect(await reconciler.run()).toEqual({ ...report, dead: 1 });
    await clock.advance(24 * 60 * minute);
    expect(await reconciler.run()).toEqual(report);
    expect(resolve).toHaveBeenCalledTimes(3);
    expect(events.filter(({ kind }) => kind === 'lookup-failed')).toEqual([
      { kind: 'lookup-failed', operation: 'pay', dead: false },
      { kind: 'lookup-failed', operation: 'pay', dead: false },
      { kind: 'lookup-failed', operation: 'pay', dead: true },
    ]);
    await expect(pay.runOnce(intent, mustNotRun)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_OUTCOME_UNKNOWN',
    });
  });

  test.each<[string, Resolve]>([
    ['throws', () => Promise.reject(new Error('provider down'))],
    ['answers nonsense', () => ({ kind: 'perhaps' }) as never],
    ['answers nothing', () => undefined as never],
    ['names no quiet time', () => ({ kind: 'not-executed' }) as never],
    ['names a quiet time that is none', () => ({ kind: 'not-executed', quietMs: NaN })],
  ])('because `resolve` %s, it stays unknown and is asked about again', async (_, resolve) => {
    const { reconciler, pay, intent, events } = await openUnknown(resolve);
    expect(await reconciler.run()).toEqual({ ...report, failed: 1 });
    expect(events.at(-1)).toMatchObject({ kind: 'lookup-failed', cause: expect.any(Error) });
    await expect(pay.runOnce(intent, mustNotRun)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_OUTCOME_UNKNOWN',
    });
  });

  test('because `resolve` takes too long, its signal is aborted and it counts as failed', async () => {
    let signal: AbortSignal | undefined;
    const { reconciler, clock } = await openUnknown(
      (unknown) => {
        signal = unknown.signal;
        return new Promise(() => {});
      },
      { lookMs: minute },
    );
    const running = reconciler.run();
    await clock.advance(minute);
    expect(await running).toEqual({ ...report, failed: 1 });
    expect(signal?.aborted).toBe(true);
  });

  test('because the store failed, it is due again when the time for it has run out', async () => {
    const { reconciler, line, clock } = await openUnknown(() => ({ kind: 'executed', value: 1 }), {
      lookMs: minute,
    });
    line.fail('settle', 'lost-request', 1);
    line.fail('putOff' as never, 'lost-request', 1);
    expect(await reconciler.run()).toEqual({ ...report, failed: 1 });
    await clock.advance(minute);
    expect(await reconciler.run()).toEqual({ ...report, settled: 1 });
  });
});

test('everything that is due is looked into, a few at a time', async () => {
  let atOnce = 0;
  let most = 0;
  const resolve: Resolve = async () => {
    most = Math.max(most, ++atOnce);
    await Promise.resolve();
    atOnce--;
    return { kind: 'executed', value: 1 };
  };
  const { reconciler, pay, newKey } = await openUnknown(resolve, { concurrency: 3 });
  for (let count = 0; count < 9; count++) {
    const intent = { scope: 'alice', key: newKey() };
    await pay.runOnce(intent, () => Promise.reject(new Error('timeout'))).catch(() => undefined);
  }
  expect(await reconciler.run()).toEqual({ ...report, settled: 10 });
  expect(most).toBe(3);
});

test('it runs on its schedule until it is stopped, also when the store fails', async () => {
  const resolve = vi.fn<Resolve>(() => ({ kind: 'unsure' }));
  const { reconciler, clock, line, events } = await openUnknown(resolve, { everyMs: minute });
  line.fail('takeUnknown' as never, 'lost-request', 1);
  reconciler.start();
  reconciler.start();
  await clock.advance(minute);
  expect(events.map(({ kind }) => kind)).toEqual(['store-failed']);
  await clock.advance(minute);
  expect(resolve).toHaveBeenCalledTimes(1);
  await reconciler.stop();
  await clock.advance(24 * 60 * minute);
  expect(resolve).toHaveBeenCalledTimes(1);
});

test('a run that is under way ends with what it has begun when it is stopped', async () => {
  const resolve = vi.fn<Resolve>(() => {
    void reconciler.stop();
    return { kind: 'unsure' };
  });
  const { reconciler, clock, pay, newKey } = await openUnknown(resolve, { concurrency: 1 });
  const second = { scope: 'alice', key: newKey() };
  await pay.runOnce(second, () => Promise.reject(new Error('timeout'))).catch(() => undefined);
  reconciler.start();
  await clock.advance(minute);
  await reconciler.stop();
  expect(resolve).toHaveBeenCalledTimes(1);
});

test('a mutation without `resolve`, or a store without a list, is refused at once', () => {
  const { mutation, line } = openEngine();
  const store = line.store as ReconcilingStore;
  expect(() => createReconciler({ store, mutations: [mutation()] })).toThrow(/`resolve`/);
  const redis = { name: 'redis' } as ReconcilingStore;
  expect(() => createReconciler({ store: redis, mutations: [] })).toThrow(/redis keeps none/);
});
