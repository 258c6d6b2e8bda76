import { expect, test } from 'vitest';
import {
  hang,
  inProgress,
  openDeliveryFixture,
  peek,
  serverThat,
  status,
} from '../test/delivery-fixture.ts';
import { createDelivery } from './create-delivery.ts';

const pay = { operation: 'pay' };

test('a signal that is aborted already sends nothing', async () => {
  const { delivery, events } = openDeliveryFixture();
  const server = serverThat('paid');
  const signal = AbortSignal.abort('left the page');
  await expect(delivery.deliver({ ...pay, signal }, server.send)).rejects.toMatchObject({
    reason: 'aborted',
    cause: 'left the page',
    execution: 'none',
    attempts: 0,
  });
  expect(server.seen).toEqual([]);
  expect(events.map(({ kind }) => kind)).toEqual(['intent-settled']);
});

test('an abort during an attempt settles at once, also if the transport ignores it', async () => {
  const { delivery, clock } = openDeliveryFixture();
  const { signal, abort, listeners } = watchedSignal();
  const server = serverThat(hang);
  const paid = peek(delivery.deliver({ ...pay, signal }, server.send));
  await clock.advance(100);
  abort('changed my mind');
  await clock.advance(0);
  expect(paid).toMatchObject({
    state: 'rejected',
    value: { reason: 'aborted', cause: 'changed my mind', execution: 'possible' },
  });
  expect(server.seen[0]?.signal).toMatchObject({ aborted: true, reason: 'changed my mind' });
  expect(listeners()).toBe(0);
  expect(clock.pending()).toBe(0);
});

test.each([
  ['a backoff', status(503)],
  ['a wait for a running mutation', inProgress(20_000)],
])('an abort during %s settles at once', async (_, failure) => {
  const { delivery, clock } = openDeliveryFixture();
  const { signal, abort, listeners } = watchedSignal();
  const server = serverThat(failure);
  const paid = peek(delivery.deliver({ ...pay, signal }, server.send));
  await clock.advance(10);
  expect(listeners()).toBe(1);
  abort();
  await clock.advance(0);
  expect(paid).toMatchObject({ state: 'rejected', value: { reason: 'aborted', attempts: 1 } });
  expect(listeners()).toBe(0);
  expect(clock.pending()).toBe(0);
});

test('an abort during a real wait settles within 50 ms', async () => {
  const delivery = createDelivery();
  const controller = new AbortController();
  const server = serverThat(inProgress(30_000));
  const paid = delivery.deliver({ ...pay, signal: controller.signal }, server.send);
  // Until the wait has begun: everything before it is promises.
  await new Promise((resolve) => setImmediate(resolve));
  const abortedAt = performance.now();
  controller.abort();
  await expect(paid).rejects.toMatchObject({ reason: 'aborted' });
  expect(performance.now() - abortedAt).toBeLessThan(50);
});

test('many attempts leave no listener on the signal', async () => {
  const { delivery, clock } = openDeliveryFixture();
  const { signal, listeners, most } = watchedSignal();
  const answers = Array.from({ length: 30 }, () => inProgress());
  const paid = delivery.deliver({ ...pay, signal }, serverThat(...answers, 'paid').send);
  await clock.advance(60_000);
  await paid;
  expect([listeners(), most()]).toEqual([0, 1]);
});

test('an abort after the result changes nothing', async () => {
  const { delivery } = openDeliveryFixture();
  const { signal, abort } = watchedSignal();
  const server = serverThat('paid');
  await expect(delivery.deliver({ ...pay, signal }, server.send)).resolves.toBe('paid');
  abort();
  expect(server.seen[0]?.signal?.aborted).toBe(false);
});

test('an observer that aborts when an attempt starts is heeded', async () => {
  const controller = new AbortController();
  const { delivery } = openDeliveryFixture({ onEvent: () => controller.abort() });
  const { signal } = controller;
  const paid = delivery.deliver({ ...pay, signal }, serverThat(hang).send);
  await expect(paid).rejects.toMatchObject({ reason: 'aborted' });
});

/** A signal that counts who listens to it. */
function watchedSignal() {
  const controller = new AbortController();
  const { signal } = controller;
  const listening = new Set<unknown>();
  let most = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (type: string, listener: never) => {
    listening.add(listener);
    most = Math.max(most, listening.size);
    add(type, listener);
  };
  signal.removeEventListener = (type: string, listener: never) => {
    listening.delete(listener);
    remove(type, listener);
  };
  const abort = (reason?: unknown) => controller.abort(reason);
  return { signal, abort, listeners: () => listening.size, most: () => most };
}
