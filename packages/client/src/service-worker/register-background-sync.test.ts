import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Device, openDevice } from '../../test/journal-fixture.ts';
import { status } from '../../test/delivery-fixture.ts';
import { deliverPending } from './deliver-pending.ts';
import { registerBackgroundSync, type SyncRegistration } from './register-background-sync.ts';

afterEach(() => vi.unstubAllGlobals());

test('a click without a network asks for a wake-up, once', async () => {
  const { device, tags, goOnline } = openPage();
  goOnline(false);
  const { journal, pay } = device.open();
  registerBackgroundSync(journal);
  const { record } = await pay(100);
  await device.clock.advance(0);
  expect(tags).toEqual(['onceward']);
  await journal.cancel(record.id);
  await device.clock.advance(0);
  expect(tags).toEqual(['onceward']);
});

test('every intent asks for itself, as the browser may have answered the one before', async () => {
  const { device, tags, goOnline } = openPage();
  goOnline(false);
  const { journal, pay } = device.open();
  registerBackgroundSync(journal);
  await pay(1);
  await pay(2);
  await device.clock.advance(0);
  expect(tags).toEqual(['onceward', 'onceward']);
});

test('what an earlier page has left asks for one as soon as it is found', async () => {
  const { device, tags, goOnline } = openPage();
  goOnline(false);
  const first = device.open();
  await first.pay(100);
  first.kill();
  registerBackgroundSync(device.open().journal);
  await device.clock.advance(0);
  expect(tags).toEqual(['onceward']);
});

test('what is delivered at once asks for none', async () => {
  const { device, tags } = openPage();
  const { journal, pay } = device.open();
  registerBackgroundSync(journal);
  await (
    await pay(100)
  ).settled;
  await device.clock.advance(0);
  expect(tags).toEqual([]);
});

test('an answer that nobody has taken yet asks for none', async () => {
  const { device, tags, goOnline } = openPage();
  goOnline(false);
  const first = device.open();
  await first.pay(100);
  first.kill();
  goOnline(true);
  await deliverPending(device.open().journal);
  goOnline(false);
  const { journal } = device.open();
  registerBackgroundSync(journal, { clock: device.clock });
  await device.clock.advance(2_000);
  expect(journal.records()).toMatchObject([{ state: 'succeeded' }]);
  expect(tags).toEqual([]);
});

test('what takes longer than half a second asks for one', async () => {
  const { device, tags } = openPage();
  device.server.fates.push('hang', 'hang');
  const { journal, pay } = device.open();
  const stop = registerBackgroundSync(journal, { clock: device.clock });
  await pay(1);
  await device.clock.advance(250);
  await pay(2);
  await device.clock.advance(249);
  expect(tags).toEqual([]);
  await device.clock.advance(1);
  expect(tags).toEqual(['onceward']);
  await device.clock.advance(2_000);
  expect(tags).toEqual(['onceward']);
  await pay(3);
  await device.clock.advance(0);
  const timers = device.clock.pending();
  stop();
  expect(device.clock.pending()).toBe(timers - 1);
});

test('a request that fails asks for one, and the next ones do not', async () => {
  const { device, tags } = openPage();
  device.server.fates.push('lost', status(503), 'lost');
  const { journal, pay } = device.open();
  registerBackgroundSync(journal, { clock: device.clock });
  const { settled } = await pay(100);
  await device.clock.advance(0);
  expect(tags).toEqual(['onceward']);
  await device.clock.advance(60_000);
  await settled;
  expect(tags).toEqual(['onceward']);
});

test('what was on its way when the network went asks for one', async () => {
  const { device, tags, goOnline } = openPage();
  device.server.fates.push('hang');
  const { journal, pay } = device.open();
  registerBackgroundSync(journal);
  await pay(100);
  await device.clock.advance(0);
  expect(tags).toEqual([]);
  goOnline(false);
  await device.clock.advance(0);
  expect(tags).toEqual(['onceward']);
});

describe('a page that is left', () => {
  test.each(['pagehide', 'visibilitychange'])(
    'asks for what is on its way, on %s',
    async (name) => {
      const { device, tags, tell } = openPage();
      device.server.fates.push('hang');
      const { journal, pay } = device.open();
      registerBackgroundSync(journal);
      await pay(100);
      await device.clock.advance(0);
      tell(name, 'hidden');
      await device.clock.advance(0);
      expect(tags).toEqual(['onceward']);
    },
  );

  test('and had nothing pending asks for none', async () => {
    const { device, tags, tell } = openPage();
    registerBackgroundSync(device.open().journal);
    await device.clock.advance(0);
    tell('pagehide', 'hidden');
    await device.clock.advance(0);
    expect(tags).toEqual([]);
  });

  test('and comes back asks for none', async () => {
    const { device, tags, tell } = openPage();
    device.server.fates.push('hang');
    const { journal, pay } = device.open();
    registerBackgroundSync(journal);
    await pay(100);
    tell('visibilitychange', 'visible');
    await device.clock.advance(0);
    expect(tags).toEqual([]);
  });
});

test('after it was stopped, nobody asks', async () => {
  const { device, tags, tell, goOnline } = openPage();
  const { journal, pay } = device.open();
  registerBackgroundSync(journal)();
  goOnline(false);
  await pay(100);
  tell('pagehide', 'hidden');
  await device.clock.advance(0);
  expect(tags).toEqual([]);
});

test('takes another word, and another worker', async () => {
  const { device, tags, goOnline } = openPage();
  goOnline(false);
  const others: string[] = [];
  const registration = { sync: { register: async (tag: string) => void others.push(tag) } };
  const { journal, pay } = device.open();
  registerBackgroundSync(journal, { tag: 'payments', registration });
  await pay(100);
  await device.clock.advance(0);
  expect([tags, others]).toEqual([[], ['payments']]);
});

describe('nothing changes, and nothing throws,', () => {
  const rejecting = { sync: { register: () => Promise.reject(new Error('not allowed')) } };

  test.each<[string, object]>([
    ['without Background Sync', { onLine: false, serviceWorker: { ready: Promise.resolve({}) } }],
    ['without service workers', { onLine: false }],
    ['without a worker', { onLine: false, serviceWorker: { ready: new Promise(() => {}) } }],
    [
      'where the user has refused it',
      { onLine: false, serviceWorker: { ready: Promise.resolve(rejecting) } },
    ],
    [
      'where service workers are forbidden',
      {
        onLine: false,
        get serviceWorker() {
          throw new Error('SecurityError');
        },
      },
    ],
  ])('%s', async (_, navigator) => {
    vi.stubGlobal('navigator', navigator);
    const device = openDevice();
    const { journal, pay } = device.open();
    const stop = registerBackgroundSync(journal);
    const { settled } = await pay(100);
    await device.clock.advance(0);
    await expect(settled).resolves.toMatchObject({ paid: { cents: 100 } });
    stop();
  });

  test('in an engine that is no browser', async () => {
    vi.stubGlobal('navigator', undefined);
    const { journal } = openDevice().open();
    registerBackgroundSync(journal)();
  });
});

/** A page in a browser that has Background Sync, and what it was asked for. */
function openPage() {
  const device: Device = openDevice();
  const tags: string[] = [];
  const page = new EventTarget();
  const navigator = {
    onLine: true,
    serviceWorker: {
      ready: Promise.resolve<SyncRegistration>({
        sync: { register: async (tag) => void tags.push(tag) },
      }),
    },
  };
  const document = { visibilityState: 'visible' };
  vi.stubGlobal('navigator', navigator);
  vi.stubGlobal('document', document);
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
  return {
    device,
    tags,
    tell(name: string, visibilityState: string) {
      document.visibilityState = visibilityState;
      page.dispatchEvent(new Event(name));
    },
    goOnline(online: boolean) {
      navigator.onLine = online;
      device.network.set(online);
      page.dispatchEvent(new Event(online ? 'online' : 'offline'));
    },
  };
}
