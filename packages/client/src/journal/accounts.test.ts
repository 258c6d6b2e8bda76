import { deferred } from '../../../../test/support/deferred.ts';
import type { JournalStore } from '@onceward/core/journal';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { status } from '../../test/delivery-fixture.ts';
import { day, type Device, keysSeen, openDevice, paid } from '../../test/journal-fixture.ts';

describe('another user', () => {
  test('never gets what somebody else has left on the device', async () => {
    const device = openDevice();
    device.network.set(false);
    const alice = device.open();
    await alice.pay(100);
    alice.journal.close();
    device.network.set(true);
    const bob = device.open({ scope: 'bob' });
    await device.clock.advance(day / 2);
    expect(device.server.seen).toEqual([]);
    expect(bob.journal.records()).toEqual([]);
    expect(await bob.journal.countOthers()).toBe(1);
    bob.journal.close();
    await device.open().journal.drain();
    expect(paid(device)).toEqual([100]);
  });

  test('is not told in another tab what somebody does', async () => {
    const device = openDevice();
    const bob = device.open({ scope: 'bob' });
    const alice = device.open();
    await device.clock.advance(0);
    let changes = 0;
    bob.journal.subscribe(() => changes++);
    device.network.set(false);
    await alice.pay(100);
    await device.clock.advance(0);
    expect([bob.journal.records(), changes]).toEqual([[], 0]);
  });

  test('who signs in in another tab does not make this one send again', async () => {
    const device = openDevice();
    const alice = device.open();
    device.server.fates.push(status(401));
    await alice.pay(100);
    await device.clock.advance(0);
    expect(alice.events).toEqual([{ kind: 'sign-in-needed' }]);
    device.open({ scope: 'bob' }).journal.resume();
    await device.clock.advance(day / 2);
    expect(device.server.seen).toEqual([]);
    device.open().journal.resume();
    await device.clock.advance(0);
    expect(paid(device)).toEqual([100]);
  });

  test('who has signed in in another tab keeps this one from sending', async () => {
    const device = openDevice();
    let user: string | null = 'alice';
    const { journal, pay } = device.open({ scope: () => user });
    user = 'bob';
    const { settled } = await pay(100);
    await device.clock.advance(day / 2);
    expect(device.server.seen).toEqual([]);
    user = 'alice';
    journal.resume();
    await settled;
  });
});

test('nothing is sent while nobody can say who is signed in', async () => {
  const device = openDevice();
  let known = true;
  const scope = () => {
    if (known) return 'alice';
    throw new Error('no session');
  };
  const { journal, pay, events } = device.open({ scope });
  known = false;
  const { settled } = await pay(100);
  await device.clock.advance(day / 2);
  expect([device.server.seen, events]).toEqual([[], []]);
  known = true;
  journal.resume();
  await settled;
});

describe('after a 401', () => {
  test('the user is signed in again once, and no attempt is charged', async () => {
    const device = openDevice();
    let refreshed = 0;
    device.server.fates.push(status(401), status(401));
    const { journal, pay } = device.open({ refresh: async () => void refreshed++ });
    journal.pause();
    await pay(1);
    await pay(2);
    journal.resume();
    await journal.drain();
    expect(refreshed).toBe(1);
    expect(paid(device).sort()).toEqual([1, 2]);
    expect(keysSeen(device)).toHaveLength(2);
  });

  test('nothing is sent while the user is signed in again', async () => {
    const device = openDevice();
    const signedIn = deferred<void>();
    device.server.fates.push(status(401));
    const { journal, pay } = device.open({ refresh: () => signedIn.promise });
    await pay(1);
    await device.clock.advance(0);
    await pay(2);
    await device.clock.advance(60_000);
    expect(device.server.seen).toEqual([]);
    signedIn.resolve();
    await journal.drain();
    expect(paid(device).sort()).toEqual([1, 2]);
  });

  test('nothing is sent until the application says so, when that did not help', async () => {
    const device = openDevice();
    device.server.fates.push(status(401), status(401));
    const { journal, pay, events } = device.open({ refresh: async () => {} });
    const { settled } = await pay(100);
    await device.clock.advance(day / 2);
    expect(events).toEqual([{ kind: 'sign-in-needed' }]);
    expect(journal.records()).toMatchObject([{ attempts: 0, reason: 'unauthorized' }]);
    journal.resume();
    await settled;
    expect(paid(device)).toEqual([100]);
  });
});

describe('nothing is sent any more when, while it is written down that it is sent,', () => {
  /** A store that says when a record has been marked as sent. */
  function watchMark({ store }: Device, onMark: () => void): JournalStore {
    return {
      ...store,
      async update(row) {
        const update = await store.update(row);
        if (row.body.includes('"state":"sending"')) onMark();
        return update;
      },
    };
  }

  test('the journal is closed', async () => {
    const device = openDevice();
    const page = device.open({ store: watchMark(device, () => page.journal.close()) });
    await page.pay(100);
    await device.clock.advance(day / 2);
    expect(device.server.seen).toEqual([]);
  });

  test('the journal is closed, in an engine without signals', async () => {
    vi.stubGlobal('AbortController', undefined);
    onTestFinished(() => void vi.unstubAllGlobals());
    const device = openDevice();
    const page = device.open({ store: watchMark(device, () => page.journal.close()) });
    await page.pay(100);
    await device.clock.advance(day / 2);
    expect(device.server.seen).toEqual([]);
  });

  test('another user signs in', async () => {
    const device = openDevice();
    let user = 'alice';
    const store = watchMark(device, () => void (user = 'bob'));
    const { pay, journal } = device.open({ store, scope: () => user });
    await pay(100);
    await device.clock.advance(day / 2);
    expect(device.server.seen).toEqual([]);
    journal.close();
    await device.open().journal.drain();
    expect(paid(device)).toEqual([100]);
  });
});
