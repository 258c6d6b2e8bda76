import { expect, test } from 'vitest';
import { status } from '../../test/delivery-fixture.ts';
import { type Device, keysSeen, openDevice, paid } from '../../test/journal-fixture.ts';
import { DeliveryError } from '../delivery-error.ts';
import type { JournalOptions } from '../journal/journal-options.ts';
import { deliverPending } from './deliver-pending.ts';

test('what a page has left is delivered, and the journal is closed', async () => {
  const device = openDevice();
  const { key } = await leaveBehind(device, 100);
  const { journal, delivered } = wake(device);
  await expect(delivered).resolves.toBeUndefined();
  expect(paid(device)).toEqual([100]);
  expect(keysSeen(device)).toEqual([key]);
  await expect(journal.cancel('any')).rejects.toThrow('closed');
  expect(device.clock.pending()).toBe(0);
});

test('the answer waits for the handler of the next page', async () => {
  const device = openDevice();
  await leaveBehind(device, 100);
  await wake(device).delivered;
  const told: unknown[] = [];
  const { journal } = device.open();
  journal.onSettled('pay', (settled) => told.push(settled));
  await device.clock.advance(0);
  expect(told).toMatchObject([{ kind: 'succeeded', result: { paid: { cents: 100 } } }]);
  expect(journal.records()).toEqual([]);
  expect(device.server.seen).toHaveLength(1);
});

test('with nothing to deliver, it is over at once', async () => {
  const device = openDevice();
  await wake(device).delivered;
  expect(device.clock.pending()).toBe(0);
});

test('what could not be delivered in time makes it fail, so that the browser comes again', async () => {
  const device = openDevice();
  await leaveBehind(device, 100);
  device.server.fates.push(...Array<Error>(100).fill(status(503)));
  const { journal, delivered } = wake(device);
  await device.clock.advance(29_999);
  expect(journal.records()).toMatchObject([{ state: expect.stringMatching(/waiting|sending/) }]);
  await device.clock.advance(1);
  const error = await delivered.catch((thrown: unknown) => thrown);
  expect(DeliveryError.is(error) && error.reason).toBe('deadline');
  expect(device.clock.pending()).toBe(0);

  device.server.fates.length = 0;
  const second = wake(device);
  await device.clock.advance(30_000);
  await second.delivered;
  expect(paid(device)).toEqual([100]);
});

test('a part that is left is left', async () => {
  const device = openDevice();
  await leaveBehind(device, 1, 2);
  device.server.fates.push('hang');
  const { delivered } = wake(device, { attemptTimeoutMs: 60_000 });
  await device.clock.advance(30_000);
  await expect(delivered).rejects.toThrow('Not everything');
  expect(paid(device)).toEqual([1, 2]);
  await wake(device).delivered;
  expect(device.server.seen).toHaveLength(3);
  expect(paid(device)).toEqual([1, 2]);
});

test('what failed for want of a network is sent at once, however long it was to wait', async () => {
  const device = openDevice();
  const page = device.open({ baseDelayMs: day, maxDelayMs: day });
  device.server.fates.push('lost');
  await page.pay(100);
  await device.clock.advance(0);
  expect(page.journal.records()).toMatchObject([{ state: 'waiting', reason: 'network' }]);
  page.kill();
  await wake(device).delivered;
  expect(paid(device)).toEqual([100]);
});

test('also where the network does as if nothing had changed', async () => {
  const device = openDevice();
  await leaveBehind(device, 100);
  device.server.fates.push('lost');
  const { delivered } = wake(device, { baseDelayMs: 10_000 });
  await device.clock.advance(10_000);
  await delivered;
  expect(paid(device)).toEqual([100]);
});

test('a server that asks to be left alone for a while is, and then asked', async () => {
  const device = openDevice();
  await leaveBehind(device, 100);
  device.server.fates.push(status(503, { 'retry-after': '20' }));
  const { delivered } = wake(device);
  await device.clock.advance(19_999);
  expect(device.server.seen).toEqual([]);
  await device.clock.advance(5_000);
  await delivered;
  expect(paid(device)).toEqual([100]);
});

test('a server that asks to be left alone for longer is not waited for', async () => {
  const device = openDevice();
  await leaveBehind(device, 100);
  device.server.fates.push(status(503, { 'retry-after': '3600' }));
  const { delivered } = wake(device);
  await device.clock.advance(0);
  await expect(delivered).rejects.toThrow('Not everything');
  expect(device.clock.pending()).toBe(0);
});

test('one that has to wait does not keep the others from it', async () => {
  const device = openDevice();
  await leaveBehind(device, 1, 2);
  device.server.fates.push(status(503, { 'retry-after': '3600' }));
  const { delivered } = wake(device, { concurrency: 1 });
  await device.clock.advance(0);
  await expect(delivered).rejects.toThrow('Not everything');
  expect(paid(device)).toEqual([2]);
});

test('a store that cannot be read makes it fail', async () => {
  const device = openDevice();
  const list = () => Promise.reject(new Error('disk'));
  const { delivered } = wake(device, { store: { ...device.store, list } });
  await expect(delivered).rejects.toThrow('disk');
  expect(device.clock.pending()).toBe(0);
});

test('a tab that delivers is left to it', async () => {
  const device = openDevice();
  const tab = device.open();
  device.server.fates.push(status(503, { 'retry-after': '5' }));
  await tab.pay(100);
  await device.clock.advance(0);
  const { delivered } = wake(device);
  await device.clock.advance(10_000);
  await delivered;
  expect(paid(device)).toEqual([100]);
  expect(device.server.seen).toHaveLength(1);
});

test('a tab that was opened meanwhile goes on when it is over', async () => {
  const device = openDevice();
  await leaveBehind(device, 100);
  device.server.fates.push('hang');
  const { delivered } = wake(device, { attemptTimeoutMs: 60_000 });
  const told: unknown[] = [];
  const tab = device.open();
  tab.journal.onSettled('pay', ({ kind }) => told.push(kind));
  await device.clock.advance(30_000);
  await expect(delivered).rejects.toThrow('Not everything');
  await tab.journal.drain();
  await device.clock.advance(0);
  expect(told).toEqual(['succeeded']);
  expect(paid(device)).toEqual([100]);
  expect(keysSeen(device)).toHaveLength(1);
});

test('a deadline that is none is refused', async () => {
  const { journal } = openDevice().open();
  await expect(deliverPending(journal, { deadlineMs: 0 })).rejects.toThrow('`deadlineMs`');
});

const day = 86_400_000;

/** Submits without a network, and ends the page. */
async function leaveBehind(device: Device, ...amounts: number[]) {
  device.network.set(false);
  const page = device.open();
  for (const cents of amounts) await page.pay(cents);
  const [record] = page.journal.records();
  page.kill();
  device.network.set(true);
  return record!;
}

/** What a service worker does when it is woken. */
function wake(device: Device, options: Partial<JournalOptions> = {}) {
  const { journal } = device.open(options);
  const delivered = deliverPending(journal, { clock: device.clock });
  delivered.catch(() => {});
  return { journal, delivered };
}
