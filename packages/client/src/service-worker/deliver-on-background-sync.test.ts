import { afterEach, expect, test, vi } from 'vitest';
import { type Device, openDevice, paid } from '../../test/journal-fixture.ts';
import { deliverOnBackgroundSync } from './deliver-on-background-sync.ts';

afterEach(() => vi.unstubAllGlobals());

test('an event delivers what is pending, and each event opens a journal of its own', async () => {
  const device = openDevice();
  const sync = openWorker();
  deliverOnBackgroundSync(() => device.open().journal);
  for (const cents of [1, 2]) {
    await leaveBehind(device, cents);
    await sync('onceward');
  }
  expect(paid(device)).toEqual([1, 2]);
});

test('the event fails when something is left, so that the browser sends it again', async () => {
  const device = openDevice();
  const sync = openWorker();
  deliverOnBackgroundSync(async () => device.open({ attemptTimeoutMs: 60_000 }).journal, {
    deadlineMs: 5_000,
    clock: device.clock,
  });
  await leaveBehind(device, 100);
  device.server.fates.push('hang');
  const over = sync('onceward');
  const failed = expect(over).rejects.toThrow('Not everything');
  await device.clock.advance(5_000);
  await failed;
});

test('an event with another word is somebody else’s', async () => {
  const device = openDevice();
  const sync = openWorker();
  deliverOnBackgroundSync(() => device.open().journal, { tag: 'payments' });
  await leaveBehind(device, 100);
  expect(sync('onceward')).toBeUndefined();
  await sync('payments');
  expect(paid(device)).toEqual([100]);
});

test.each([null, undefined])(
  'while nobody is signed in (%s), there is nothing to do',
  async (none) => {
    const device = openDevice();
    const sync = openWorker();
    deliverOnBackgroundSync(async () => none);
    await leaveBehind(device, 100);
    await sync('onceward');
    expect(paid(device)).toEqual([]);
  },
);

test('the event fails when the journal cannot be opened', async () => {
  const sync = openWorker();
  deliverOnBackgroundSync(() => Promise.reject(new Error('no session')));
  await expect(sync('onceward')).rejects.toThrow('no session');
});

test('says what is missing', () => {
  openWorker();
  expect(() => deliverOnBackgroundSync({} as never)).toThrow('`openJournal`');
});

/** A service worker; what it returns sends it an event, and is what the event waits for. */
function openWorker() {
  const listeners: ((event: object) => void)[] = [];
  vi.stubGlobal('addEventListener', (type: string, listener: (event: object) => void) => {
    expect(type).toBe('sync');
    listeners.push(listener);
  });
  return (tag: string) => {
    let over: Promise<void> | undefined;
    const waitUntil = (work: Promise<void>) => void (over = work);
    for (const listener of listeners) listener({ tag, waitUntil });
    return over;
  };
}

async function leaveBehind(device: Device, cents: number): Promise<void> {
  device.network.set(false);
  const page = device.open();
  await page.pay(cents);
  page.kill();
  device.network.set(true);
}
