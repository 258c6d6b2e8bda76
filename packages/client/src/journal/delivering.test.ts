import { deferred } from '../../../../test/support/deferred.ts';
import type { CampaignEvents, JournalStore } from '@onceward/core/journal';
import { describe, expect, test, vi } from 'vitest';
import { refusal, status } from '../../test/delivery-fixture.ts';
import {
  day,
  type Device,
  keysSeen,
  openDevice,
  type Page,
  paid,
} from '../../test/journal-fixture.ts';

describe('delivery goes on', () => {
  test('through lost requests, lost answers and refusals, under one key', async () => {
    const device = openDevice();
    device.server.fates.push('lost', status(503), 'answer-lost', status(429), 'hang');
    const { settled } = await device.open().pay(100);
    await device.clock.advance(day / 2);
    await expect(settled).resolves.toMatchObject({ replayed: true });
    expect(keysSeen(device)).toHaveLength(1);
    expect(paid(device)).toEqual([100]);
  });

  test('one attempt at a time, also when a wait is over as soon as it has begun', async () => {
    const device = openDevice();
    device.server.fates.push(status(503), 'hang', 'hang');
    const { journal, pay } = device.open({ attemptTimeoutMs: day });
    const stop = journal.subscribe(() => {
      if (!journal.records().some(({ state }) => state === 'waiting')) return;
      stop();
      device.clock.jump(60_000);
    });
    await pay(100);
    await device.clock.advance(0);
    await device.clock.advance(60_000);
    expect(device.server.seen).toHaveLength(1);
  });

  test('however often it fails', async () => {
    const device = openDevice();
    device.server.fates.push(...Array.from({ length: 50 }, () => status(503)));
    const { settled } = await device.open().pay(100);
    await device.clock.advance(day / 2);
    await settled;
    expect(paid(device)).toEqual([100]);
  });

  test('when the network is back, at once', async () => {
    const device = openDevice();
    device.server.fates.push(...Array.from({ length: 20 }, () => 'lost' as const));
    const { settled } = await device.open().pay(100);
    await device.clock.advance(60_000);
    device.network.set(false);
    await device.clock.advance(0);
    device.server.fates.length = 0;
    device.network.set(true);
    await device.clock.advance(0);
    await settled;
    expect(paid(device)).toEqual([100]);
  });

  test('but not while it is paused', async () => {
    const device = openDevice();
    const { journal, pay } = device.open();
    journal.pause();
    const { settled } = await pay(100);
    await device.clock.advance(day / 2);
    expect(device.server.seen).toEqual([]);
    journal.resume();
    await settled;
  });

  test('without a timer while there is nothing to do', async () => {
    const device = openDevice();
    const { pay } = device.open();
    await (
      await pay(100)
    ).settled;
    await device.clock.advance(0);
    expect(device.clock.pending()).toBe(0);
    device.network.set(false);
    await pay(200);
    await device.clock.advance(0);
    expect(device.clock.pending()).toBe(0);
  });

  test('for what has no channel yet as soon as it has one', async () => {
    const device = openDevice();
    const { journal } = device.open();
    const sent: unknown[] = [];
    const { settled } = await journal.submit({ channel: 'post', operation: 'ship', input: 1 });
    await device.clock.advance(day / 2);
    journal.connect('post', {
      send: async (input) => sent.push(input),
      describeFailure: () => ({ kind: 'network' }),
      preserve: String,
      revive: (message) => message,
    });
    await settled;
    expect(sent).toEqual([1]);
  });
});

describe('cancelling', () => {
  test('says what became of it, also when the record is gone by then', async () => {
    const device = openDevice();
    device.network.set(false);
    // Removes a record before whoever has changed it looks again.
    const { pay } = device.open({ store: device.store });
    const { cancel } = await pay(100);
    expect(await cancel()).toBe('cancelled');
    expect(await cancel()).toBe('settled');
  });

  test('what no server has seen is cancelled', async () => {
    const device = openDevice();
    device.network.set(false);
    const { pay } = device.open();
    const { cancel, settled } = await pay(100);
    expect(await cancel()).toBe('cancelled');
    await expect(settled).rejects.toMatchObject({ reason: 'aborted', execution: 'none' });
    device.network.set(true);
    await device.clock.advance(day);
    expect(device.server.seen).toEqual([]);
  });

  test('what was sent is not sent again, and may have taken effect', async () => {
    const device = openDevice();
    device.server.fates.push('lost');
    const { pay } = device.open();
    const { cancel, settled } = await pay(100);
    await device.clock.advance(0);
    expect(await cancel()).toBe('maybe-executed');
    await expect(settled).rejects.toMatchObject({ reason: 'aborted', execution: 'possible' });
    await device.clock.advance(day);
    expect(device.server.seen).toEqual([]);
  });

  test('what is under way is stopped, and its answer no longer counts', async () => {
    const device = openDevice();
    device.server.fates.push('hang');
    const { pay, journal } = device.open();
    const { cancel, settled } = await pay(100);
    await device.clock.advance(0);
    expect(await cancel()).toBe('maybe-executed');
    await expect(settled).rejects.toMatchObject({ reason: 'aborted' });
    await device.clock.advance(day);
    expect(device.server.seen).toHaveLength(1);
    expect(journal.records()).toEqual([]);
  });

  test('what is under way learns that nobody waits for it', async () => {
    const device = openDevice();
    const { journal } = device.open();
    let signal: AbortSignal | null = null;
    const submission = { channel: 'bank', operation: 'pay', input: {} };
    const { cancel } = await journal.submit(submission, (attempt) => {
      attempt.takeKey();
      ({ signal } = attempt);
      return new Promise(() => {});
    });
    await device.clock.advance(0);
    await cancel();
    await device.clock.advance(0);
    expect(signal).toMatchObject({ aborted: true });
  });

  test('what has settled is settled', async () => {
    const { pay } = openDevice().open();
    const { cancel, settled } = await pay(100);
    await settled;
    expect(await cancel()).toBe('settled');
  });
});

test('an answer that comes while an intent is called off does not count', async () => {
  const device = openDevice();
  let cancelled: Promise<unknown> | undefined;
  const update: typeof device.store.update = async (row) => {
    if (row.body.includes('"state":"succeeded"')) {
      cancelled ??= page.journal.cancel(page.journal.records()[0]?.id ?? '');
      await cancelled;
    }
    return device.store.update(row);
  };
  const page = device.open({ store: { ...device.store, update } });
  const ends: string[] = [];
  page.journal.onSettled('pay', ({ kind, record }) => void ends.push(`${record.state}: ${kind}`));
  const { settled } = await page.pay(100);
  await expect(settled).rejects.toMatchObject({ reason: 'aborted', execution: 'possible' });
  expect(await cancelled).toBe('maybe-executed');
  expect(ends).toEqual(['cancelled: failed']);
});

test('what is called off while it is written down that it is sent is not sent', async () => {
  const device = openDevice();
  let cancelled: Promise<unknown> | undefined;
  const update: typeof device.store.update = async (row) => {
    if (row.body.includes('"state":"sending"')) {
      cancelled ??= page.journal.cancel(page.journal.records()[0]?.id ?? '');
      await cancelled;
    }
    return device.store.update(row);
  };
  const page = device.open({ store: { ...device.store, update } });
  page.journal.onSettled('pay', () => Promise.reject(new Error('not ready')));
  const { settled } = await page.pay(100);
  await expect(settled).rejects.toMatchObject({ reason: 'aborted', execution: 'none' });
  await device.clock.advance(60_000);
  expect(device.server.seen).toEqual([]);
});

test('what is called off, and gone, before it is known to be written down is not sent', async () => {
  const device = openDevice();
  const [marked, gone] = [deferred<void>(), deferred<void>()];
  let marks = 0;
  const codec = {
    encode: (text: string) => text,
    async decode(text: string) {
      if (!text.includes('"state":"sending"') || marks++ > 0) return text;
      marked.resolve();
      await gone.promise;
      return text;
    },
  };
  const { cancel, settled } = await device.open({ codec }).pay(100);
  await marked.promise;
  expect(await cancel()).toBe('maybe-executed');
  await expect(settled).rejects.toMatchObject({ reason: 'aborted' });
  await device.clock.advance(0);
  expect(await device.store.list('alice')).toEqual([]);
  gone.resolve();
  await device.clock.advance(0);
  expect(device.server.seen).toEqual([]);
});

test('whoever sends a record sees it as it was written down before', async () => {
  const device = openDevice();
  const { journal } = device.open();
  const seen: unknown[] = [];
  journal.connect('post', {
    async send(_, attempt, { state, attempts, firstSentAt }) {
      attempt.takeKey();
      seen.push([state, attempts === attempt.number, firstSentAt !== undefined]);
      if (attempt.number === 1) throw new TypeError('fetch failed');
      return 'sent';
    },
    describeFailure: () => ({ kind: 'network' }),
    preserve: String,
    revive: (message) => message,
  });
  await journal.submit({ channel: 'post', operation: 'ship', input: 1 });
  await device.clock.advance(1_000);
  expect(seen).toEqual([
    ['sending', true, true],
    ['sending', true, true],
  ]);
});

describe('an idle journal', () => {
  /** How often the store was asked for anything. */
  function counted({ store }: Device): { store: JournalStore; calls: () => number } {
    let calls = 0;
    const counting =
      <A extends unknown[], T>(method: (...args: A) => T) =>
      (...args: A): T => {
        calls++;
        return method(...args);
      };
    return {
      store: {
        ...store,
        insert: counting((draft) => store.insert(draft)),
        update: counting((row) => store.update(row)),
        remove: counting((row) => store.remove(row)),
        get: counting((seq) => store.get(seq)),
        list: counting((scope) => store.list(scope)),
      },
      calls: () => calls,
    };
  }

  test.each([
    ['that is empty', async () => {}],
    [
      'with a record that only the application can resolve',
      async ({ pay }: Page, device: Device) => {
        device.server.fates.push(refusal('IDEMPOTENCY_KEY_EXPIRED', { keyRetentionMs: 1 }));
        await pay(100);
      },
    ],
    [
      'with an answer that nobody has asked for',
      async (_: Page, device: Device) => {
        const earlier = device.open();
        device.server.fates.push('hang');
        await earlier.pay(100);
        await device.clock.advance(0);
        earlier.kill();
      },
    ],
    [
      'with records of a channel that it does not have',
      async ({ journal }: Page) => {
        await journal.submit({ channel: 'post', operation: 'ship', input: 1 });
      },
    ],
  ])('%s sets no timer, does not touch its store, and does not lead', async (_, arrange) => {
    for (const hasTabs of [true, false]) {
      const device = openDevice();
      const { store, calls } = counted(device);
      let leads = 0;
      const tabs = {
        ...device.connect(),
        campaign(_scope: string, events: CampaignEvents) {
          leads++;
          events.elected();
          return () => void leads--;
        },
      };
      const interval = vi.spyOn(globalThis, 'setInterval');
      const page = device.open({ store: hasTabs ? { ...store, tabs } : store });
      await arrange(page, device);
      await device.clock.advance(60_000);
      const before = calls();
      // Neither by its own clock, nor behind its back.
      expect([device.clock.pending(), leads]).toEqual([0, 0]);
      expect(interval).not.toHaveBeenCalled();
      interval.mockRestore();
      await device.clock.advance(day / 2);
      expect(calls()).toBe(before);
    }
  });
});

test('whoever listens and throws disturbs nobody', async () => {
  const device = openDevice();
  const { journal, pay, events } = device.open();
  journal.subscribe(() => {
    throw new Error('a bug in a component');
  });
  const { settled } = await pay(100);
  await expect(settled).resolves.toMatchObject({ replayed: false });
  await device.clock.advance(0);
  expect(events).toEqual([]);
  expect(journal.records()).toEqual([]);
});

test('a signal that is aborted before anything is sent calls it off', async () => {
  const device = openDevice();
  const { journal } = device.open();
  const submission = { channel: 'bank', operation: 'pay', input: { cents: 100 } };
  const send = () => Promise.reject(new Error('not to be called'));
  const delivered = journal.deliver(submission, send, AbortSignal.abort());
  await expect(delivered).rejects.toMatchObject({ reason: 'aborted', execution: 'none' });
  await device.clock.advance(0);
  expect(await device.store.list('alice')).toEqual([]);
});
