import { createKeyMinter } from '@onceward/core';
import type { Reservation } from '@onceward/core/store';
import { describe, expect, test } from 'vitest';
import { createVirtualClock } from '../../../test/support/virtual-clock.ts';
import { createEngine } from './engine.ts';
import type { EngineEvent } from './hooks/engine-event.ts';
import { memoryStore } from './memory/memory-store.ts';
import type { OpenIntent } from './open-intent.ts';

describe('a store that need not wait', () => {
  test('makes nobody wait: what is opened, stored and replayed is there at once', async () => {
    const { pay, intent } = await openVerified();
    const open = opened(pay.openOnce(intent));
    expect(open.succeed('paid')).toMatchObject({ result: { value: 'paid' }, replayed: false });
    expect(pay.openOnce(intent)).toMatchObject({ result: { value: 'paid' }, replayed: true });
  });

  test('refuses by a promise all the same, and is reported once', async () => {
    const { pay, intent, events } = await openVerified();
    void opened(pay.openOnce(intent)).succeed('paid');
    const refused = pay.openOnce({ ...intent, input: 'another' });
    await expect(refused).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    const keyless = pay.openOnce({ ...intent, key: undefined });
    await expect(keyless).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_MISSING' });
    expect(events.filter(({ kind }) => kind === 'attempt-refused')).toHaveLength(2);
  });

  test('starts no handler on a lease that ran out while it was granted', async () => {
    const { pay, intent, clock, store } = await openVerified();
    const reserve = store.reserve.bind(store);
    store.reserve = (request) => {
      const reservation = reserve(request);
      clock.jump(60_000);
      return reservation;
    };
    await expect(pay.openOnce(intent)).rejects.toMatchObject({ code: 'IDEMPOTENCY_IN_PROGRESS' });
    store.reserve = reserve;
    expect(opened(pay.openOnce(intent)).context.attempt).toBe(2);
  });

  test('answers what the record says to whoever lost its lease', async () => {
    const { pay, intent, store } = await openVerified();
    const complete = store.complete.bind(store);
    const [late, winner] = [opened(pay.openOnce(intent)), 'the answer of another attempt'];
    store.complete = (lease, completion) => {
      // As if another attempt had been faster.
      void complete(lease, completion);
      return 'lease-lost';
    };
    expect(await late.succeed(winner)).toMatchObject({ result: { value: winner }, replayed: true });
  });
});

describe('a store that throws instead of rejecting', () => {
  test('is unavailable, after it was asked twice', async () => {
    const { pay, intent, store } = await openVerified();
    let asked = 0;
    store.reserve = () => {
      asked += 1;
      throw new Error('secret: out of memory');
    };
    const refused = pay.openOnce(intent);
    await expect(refused).rejects.toMatchObject({ code: 'IDEMPOTENCY_STORE_UNAVAILABLE' });
    await expect(refused).rejects.not.toThrow(/secret/);
    expect(asked).toBe(2);
  });

  test('is asked again to complete what has happened', async () => {
    const { pay, intent, clock, store } = await openVerified();
    const complete = store.complete.bind(store);
    const open = opened(pay.openOnce(intent));
    store.complete = () => {
      store.complete = complete;
      throw new Error('out of memory');
    };
    const stored = open.succeed('paid');
    await clock.advance(50);
    expect(await stored).toMatchObject({ result: { value: 'paid' }, replayed: false });
    expect(pay.openOnce(intent)).toMatchObject({ replayed: true });
  });
});

test('an answer that is none is refused, and what it may have granted is given back', async () => {
  const { pay, intent, store } = await openVerified();
  const reserve = store.reserve.bind(store);
  store.reserve = (request) => {
    void reserve(request);
    return { kind: 'granted' } as unknown as Reservation;
  };
  await expect(pay.openOnce(intent)).rejects.toMatchObject({
    code: 'IDEMPOTENCY_STORE_UNAVAILABLE',
  });
  store.reserve = reserve;
  expect(opened(pay.openOnce(intent)).context.attempt).toBe(2);
});

async function openVerified() {
  const clock = createVirtualClock();
  const store = memoryStore({ now: () => clock.now() });
  const events: EngineEvent[] = [];
  const hooks = { onEvent: (event: EngineEvent) => void events.push(event) };
  const engine = createEngine({ store, acceptLoss: true, clock, hooks });
  // Until then, everything waits for the check.
  await engine.ready();
  const pay = engine.mutation({ operation: 'pay', effect: 'external' });
  const intent = { scope: 'alice', key: createKeyMinter({ now: () => clock.now() })() };
  return { clock, store, events, pay, intent };
}

function opened(found: unknown): OpenIntent {
  expect(found).toMatchObject({ kind: 'open' });
  return found as OpenIntent;
}
