import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createMemoryTabs, day, openDevice, paid, turns } from '../../test/journal-fixture.ts';
import { DeliveryError } from '../delivery-error.ts';
import { keyValueJournal } from '../key-value/key-value-journal.ts';
import { JournalError } from './journal-error.ts';

describe('an intent', () => {
  test('is delivered, answered, and leaves nothing behind', async () => {
    const device = openDevice();
    const { journal, pay } = device.open();
    const { settled, joined } = await pay(100);
    await expect(settled).resolves.toEqual({ paid: { cents: 100 }, replayed: false });
    expect(joined).toBe(false);
    await device.clock.advance(0);
    expect(journal.records()).toEqual([]);
    expect(await device.store.list('alice')).toEqual([]);
    expect(device.clock.pending()).toBe(0);
  });

  test('is durable before anything is sent', async () => {
    const device = openDevice();
    device.network.set(false);
    const { record } = await device.open().pay(100);
    expect(record).toMatchObject({ state: 'queued', attempts: 0 });
    expect(await device.store.list('alice')).toHaveLength(1);
    expect(device.server.seen).toEqual([]);
  });

  test('is not sent when it could not be written down', async () => {
    const device = openDevice();
    const store = { ...device.store, insert: () => Promise.reject(new Error('quota')) };
    const submitted = device.open({ store }).pay(100);
    await expect(submitted).rejects.toMatchObject({ name: 'JournalError', reason: 'storage' });
    await device.clock.advance(day);
    expect(device.server.seen).toEqual([]);
  });

  test('is not sent while it cannot be written down that it is', async () => {
    const device = openDevice();
    let full = true;
    const update: typeof device.store.update = (row) =>
      full ? Promise.reject(new Error('quota')) : device.store.update(row);
    const page = device.open({ store: { ...device.store, update } });
    const { settled } = await page.pay(100);
    await device.clock.advance(60_000);
    expect(device.server.seen).toEqual([]);
    expect(page.events).toContainEqual({ kind: 'storage-failed', error: new Error('quota') });
    full = false;
    await device.clock.advance(60_000);
    await settled;
    expect(paid(device)).toEqual([100]);
  });

  test('is answered when the answer cannot be written down', async () => {
    const device = openDevice();
    const update: typeof device.store.update = (row) =>
      row.body.includes('"state":"succeeded"')
        ? Promise.reject(new Error('quota'))
        : device.store.update(row);
    const page = device.open({ store: { ...device.store, update } });
    const { settled } = await page.pay(100);
    await expect(settled).resolves.toMatchObject({ paid: { cents: 100 } });
    await device.clock.advance(60_000);
    expect(paid(device)).toEqual([100]);
    expect(page.journal.records()).toMatchObject([{ state: 'sending' }]);
  });

  test('keeps what it was when the object it came from changes', async () => {
    const device = openDevice();
    const { journal } = device.open();
    const [input, meta] = [{ cents: 100 }, { title: 'Tea' }];
    const submitted = journal.submit({ channel: 'bank', operation: 'pay', input, meta });
    input.cents = 999;
    meta.title = 'Coffee';
    const { record, settled } = await submitted;
    await settled;
    expect(paid(device)).toEqual([100]);
    expect(record.meta).toEqual({ title: 'Tea' });
  });

  test('is refused when it would not come back as it was, or is too large', async () => {
    const device = openDevice();
    const { journal } = device.open({ maxInputLength: 50 });
    const submit = (input: unknown) => journal.submit({ channel: 'bank', operation: 'pay', input });
    await expect(submit({ at: new Date() })).rejects.toThrow(/`at`: pass `transformer`/);
    await expect(submit({ text: 'x'.repeat(50) })).rejects.toMatchObject({ reason: 'too-large' });
    expect(await device.store.list('alice')).toEqual([]);
  });

  test('is refused when the journal is full, and nothing older is dropped for it', async () => {
    const device = openDevice();
    device.network.set(false);
    const { pay, journal } = device.open({ maxRecords: 2 });
    await pay(1);
    await pay(2);
    await expect(pay(3)).rejects.toMatchObject({ reason: 'full' });
    expect(journal.records()).toHaveLength(2);
  });
});

describe('the same intent', () => {
  test('submitted twice is one', async () => {
    const device = openDevice();
    const { pay } = device.open();
    const [first, second] = await Promise.all([
      pay(100, { intent: 'order 1' }),
      pay(100, { intent: 'order 1' }),
    ]);
    expect([first.joined, second.joined]).toEqual([false, true]);
    expect(await first.settled).toEqual(await second.settled);
    expect(paid(device)).toEqual([100]);
  });

  test('submitted again after it has settled is another', async () => {
    const device = openDevice();
    const { pay } = device.open();
    await (
      await pay(100, { intent: 'order 1' })
    ).settled;
    await (
      await pay(100, { intent: 'order 1' })
    ).settled;
    expect(paid(device)).toEqual([100, 100]);
  });

  test('with another input is refused', async () => {
    const device = openDevice();
    device.network.set(false);
    const { pay, journal } = device.open();
    await pay(100, { intent: 'order 1' });
    await expect(pay(200, { intent: 'order 1' })).rejects.toMatchObject({ reason: 'conflict' });
    expect(journal.records()).toHaveLength(1);
  });
});

test('closing tells those who wait, and leaves the records', async () => {
  const device = openDevice();
  device.network.set(false);
  const { journal, pay } = device.open();
  const { settled } = await pay(100);
  journal.close();
  await expect(settled).rejects.toBeInstanceOf(DeliveryError);
  await expect(pay(200)).rejects.toBeInstanceOf(JournalError);
  expect(await device.store.list('alice')).toHaveLength(1);
  expect(device.clock.pending()).toBe(0);
});

describe('closing', () => {
  test('also tells whoever submits at that moment', async () => {
    const device = openDevice();
    const { journal, pay } = device.open();
    await device.clock.advance(0);
    const submitted = pay(100);
    await Promise.resolve();
    journal.close();
    await expect((await submitted).settled).rejects.toMatchObject({ reason: 'aborted' });
  });

  test('does not say that nothing takes effect: the next page sends what is left', async () => {
    const device = openDevice();
    device.network.set(false);
    const { journal, pay } = device.open();
    const { settled } = await pay(100);
    journal.close();
    await expect(settled).rejects.toMatchObject({ execution: 'possible' });
    device.network.set(true);
    await device.open().journal.drain();
    expect(paid(device)).toEqual([100]);
  });
});

describe('many at once', () => {
  test('are no more than are allowed', async () => {
    const device = openDevice();
    device.network.set(false);
    const { journal, pay } = device.open({ maxRecords: 2 });
    const submitted = await Promise.allSettled([pay(1), pay(2), pay(3), pay(4)]);
    expect(submitted.map(({ status: end }) => end)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
    ]);
    expect(journal.records()).toHaveLength(2);
  });

  test('are in the order of the calls, also when some take longer to encrypt', async () => {
    const device = openDevice();
    const encode = async (text: string) => {
      await turns(text.includes('"lane":"slow"') ? 9 : 0);
      return text;
    };
    const { journal, pay } = device.open({ codec: { encode, decode: (text) => text } });
    journal.pause();
    await Promise.all([pay(1, { lane: 'slow' }), pay(2)]);
    const inputs = journal.records().map(({ input }) => input);
    expect(inputs).toEqual(['{"value":{"cents":1}}', '{"value":{"cents":2}}']);
  });
});

describe('a store that cannot be read for a while', () => {
  test.each([
    ['when the page opens', 1],
    ['when it begins to deliver', 2],
  ])('%s delays what is to be sent', async (_, failingCall) => {
    const device = openDevice();
    device.network.set(false);
    const first = device.open();
    await first.pay(100);
    first.kill();
    device.network.set(true);
    let calls = 0;
    const list: typeof device.store.list = (scope) =>
      scope === 'alice' && ++calls === failingCall
        ? Promise.reject(new Error('locked'))
        : device.store.list(scope);
    const store = { ...device.store, list, tabs: createMemoryTabs()() };
    const { events } = device.open({ store });
    await device.clock.advance(0);
    expect(events).toEqual([{ kind: 'storage-failed', error: new Error('locked') }]);
    expect(paid(device)).toEqual([]);
    await device.clock.advance(60_000);
    expect(paid(device)).toEqual([100]);
  });
});

test('a store that is emptied loses what was in it, and nothing that comes after', async () => {
  const device = openDevice();
  const items = new Map<string, string>();
  const store = keyValueJournal({
    getItem: (key) => items.get(key),
    setItem: (key, value) => items.set(key, value),
    removeItem: (key) => items.delete(key),
    getAllKeys: () => [...items.keys()],
  });
  device.network.set(false);
  const { pay } = device.open({ store });
  const lost = await pay(1);
  // Numbers go by the time: in the same millisecond, it would be the same.
  vi.spyOn(Date, 'now').mockReturnValue(lost.record.seq + 1_000);
  onTestFinished(() => void vi.restoreAllMocks());
  items.clear();
  const { settled } = await pay(2);
  device.network.set(true);
  await expect(lost.settled).rejects.toMatchObject({ reason: 'unresolved' });
  await expect(settled).resolves.toMatchObject({ paid: { cents: 2 } });
  expect(paid(device)).toEqual([2]);
});

test('an intent that has settled is another, also while nobody has taken its answer', async () => {
  const device = openDevice();
  const { journal, pay } = device.open();
  journal.onSettled('pay', () => Promise.reject(new Error('not ready')));
  await (
    await pay(100, { intent: 'order 1' })
  ).settled;
  expect(journal.records()).toMatchObject([{ state: 'succeeded' }]);
  const { joined, settled } = await pay(100, { intent: 'order 1' });
  await settled;
  expect(joined).toBe(false);
  expect(paid(device)).toEqual([100, 100]);
});

test('a journal that is full takes what joins an intent that is live', async () => {
  const device = openDevice();
  device.network.set(false);
  const { journal, pay } = device.open({ maxRecords: 2 });
  await pay(1, { intent: 'order 1' });
  await pay(2);
  const { joined } = await pay(1, { intent: 'order 1' });
  expect(joined).toBe(true);
  await expect(pay(3, { intent: 'order 3' })).rejects.toMatchObject({ reason: 'full' });
  expect(journal.records()).toHaveLength(2);
});

test('what has settled takes up no room', async () => {
  const device = openDevice();
  const { journal, pay } = device.open({ maxRecords: 1 });
  journal.onSettled('pay', () => Promise.reject(new Error('not ready')));
  await (
    await pay(1)
  ).settled;
  await (
    await pay(2)
  ).settled;
  expect(journal.records()).toMatchObject([{ state: 'succeeded' }, { state: 'succeeded' }]);
});

describe('closing', () => {
  test('before the journal is read hands nothing over', async () => {
    const device = openDevice();
    const first = device.open();
    first.journal.onSettled('pay', () => Promise.reject(new Error('not ready')));
    await first.pay(100);
    await device.clock.advance(0);
    first.kill();
    const { journal } = device.open({ store: device.store });
    const told: unknown[] = [];
    journal.onSettled('pay', (end) => told.push(end));
    journal.close();
    await device.clock.advance(day);
    expect(told).toEqual([]);
    expect(await device.store.list('alice')).toHaveLength(1);
  });

  test('tells whoever waits for everything to be delivered', async () => {
    const device = openDevice();
    device.network.set(false);
    const { journal, pay } = device.open();
    await pay(100);
    const drained = journal.drain();
    await device.clock.advance(0);
    journal.close();
    await expect(drained).rejects.toMatchObject({ reason: 'closed' });
  });
});
