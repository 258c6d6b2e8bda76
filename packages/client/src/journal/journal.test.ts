import { IdempotencyError } from '@onceward/core';
import type { RowChange, Tabs } from '@onceward/core/journal';
import { describe, expect, test } from 'vitest';
import { DeliveryError } from '../delivery-error.ts';
import { HttpStatusError } from '../http-status-error.ts';
import { type Device, openDevice } from '../../test/journal-fixture.ts';
import { JournalError } from './journal-error.ts';

const day = 86_400_000;

/** What took effect, by amount. */
const paid = ({ server }: Device) =>
  server.ledger.map(({ input }) => (input as { cents: number }).cents);

const keysSeen = ({ server }: Device) => [...new Set(server.seen.map(({ key }) => key))];

function status(code: number, headers: Record<string, string> = {}): HttpStatusError {
  return new HttpStatusError({
    status: code,
    headers: { get: (name) => headers[name.toLowerCase()] ?? null },
  });
}

/** Decodes, when everybody else has had a turn. */
async function slowly(text: string): Promise<string> {
  await new Promise((resolve) => setImmediate(resolve));
  return text;
}

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

  test('keeps what it was when the object it came from changes', async () => {
    const device = openDevice();
    const { journal } = device.open();
    const input = { cents: 100 };
    const submitted = journal.submit({ channel: 'bank', operation: 'pay', input });
    input.cents = 999;
    await (
      await submitted
    ).settled;
    expect(paid(device)).toEqual([100]);
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

describe('after a crash', () => {
  test('what was never sent is sent', async () => {
    const device = openDevice();
    device.network.set(false);
    const first = device.open();
    const { record } = await first.pay(100);
    first.kill();
    device.network.set(true);
    await device.open().journal.drain();
    expect(device.server.ledger).toEqual([{ key: record.key, input: { cents: 100 } }]);
  });

  test('what was in flight is sent again, under its key, and takes effect once', async () => {
    const device = openDevice();
    device.server.fates.push('hang');
    const first = device.open();
    const { record } = await first.pay(100);
    await device.clock.advance(0);
    first.kill();
    const second = device.open();
    expect(device.server.seen).toHaveLength(1);
    await second.journal.drain();
    expect(keysSeen(device)).toEqual([record.key]);
    expect(device.server.seen).toHaveLength(2);
    expect(paid(device)).toEqual([100]);
  });

  test('a handler gets the answer, until it has taken it', async () => {
    const device = openDevice();
    const first = device.open();
    device.server.fates.push('hang');
    await first.pay(100);
    await device.clock.advance(0);
    first.kill();

    const results: unknown[] = [];
    const second = device.open();
    second.journal.onSettled('pay', (settled) => {
      results.push(settled.kind === 'succeeded' && settled.result);
      throw new Error('the application is not ready');
    });
    await second.journal.drain();
    await device.clock.advance(0);
    expect(second.events).toContainEqual(expect.objectContaining({ kind: 'handler-failed' }));
    second.kill();

    const third = device.open();
    third.journal.onSettled('pay', (settled) => {
      results.push(settled.kind === 'succeeded' && settled.result);
    });
    await device.clock.advance(0);
    const answer = { paid: { cents: 100 }, replayed: true };
    expect(results).toEqual([answer, answer]);
    expect(third.journal.records()).toEqual([]);
    expect(device.server.seen).toHaveLength(2);
  });

  test('a handler gets the error, made again', async () => {
    const device = openDevice();
    const first = device.open();
    device.server.fates.push(new IdempotencyError('IDEMPOTENCY_KEY_REUSED', { operation: 'pay' }));
    first.journal.onSettled('pay', () => Promise.reject(new Error('not ready')));
    await first.pay(100);
    await device.clock.advance(0);
    first.kill();

    const errors: unknown[] = [];
    device.open().journal.onSettled('pay', (settled) => {
      errors.push(settled.kind === 'failed' && settled.error);
    });
    await device.clock.advance(0);
    expect(errors).toEqual([expect.objectContaining({ code: 'IDEMPOTENCY_KEY_REUSED' })]);
    expect(IdempotencyError.is(errors[0])).toBe(true);
  });

  test('what the server has asked for is still waited for', async () => {
    const device = openDevice();
    const first = device.open();
    device.server.fates.push(status(503, { 'retry-after': '600' }));
    await first.pay(100);
    await device.clock.advance(1_000);
    first.kill();
    const { journal } = device.open();
    await device.clock.advance(590_000);
    expect(device.server.seen).toEqual([]);
    await device.clock.advance(200_000);
    await journal.drain();
    expect(paid(device)).toEqual([100]);
  });

  test('a clock that was set back does not prolong the wait', async () => {
    const device = openDevice();
    const first = device.open();
    device.server.fates.push(status(503, { 'retry-after': '10' }));
    await first.pay(100);
    await device.clock.advance(1_000);
    first.kill();
    device.clock.jump(-day);
    const { journal } = device.open();
    await device.clock.advance(20_000);
    await journal.drain();
    expect(paid(device)).toEqual([100]);
  });
});

describe('what an earlier page has left', () => {
  test('is shown at once, oldest first, however long each takes to decode', async () => {
    const device = openDevice();
    device.network.set(false);
    const first = device.open();
    for (const cents of [1, 2, 3]) await first.pay(cents);
    first.kill();
    const decode = (text: string) => (text.includes('"cents\\":1') ? slowly(text) : text);
    const { journal } = device.open({ codec: { encode: (text) => text, decode } });
    const seen: number[][] = [];
    journal.subscribe(() => seen.push(journal.records().map(({ seq }) => seq)));
    await device.clock.advance(0);
    expect(seen).toEqual([[1, 2, 3]]);
  });
});

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
    device.server.fates.push(...Array.from({ length: 8 }, () => 'lost' as const));
    const { settled } = await device.open().pay(100);
    await device.clock.advance(60_000);
    device.network.set(false);
    await device.clock.advance(3_600_000);
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

describe('lanes and dependencies', () => {
  test('one lane is sent in order, through a head that fails', async () => {
    const device = openDevice();
    device.server.fates.push(status(503), 'lost', 'answer-lost');
    const { journal, pay } = device.open();
    for (const cents of [1, 2, 3]) await pay(cents, { lane: 'account' });
    await device.clock.advance(60_000);
    await journal.drain();
    expect(paid(device)).toEqual([1, 2, 3]);
  });

  test('without a lane, nothing waits for what fails', async () => {
    const device = openDevice();
    device.server.fates.push(status(503, { 'retry-after': '600' }));
    const { pay } = device.open();
    await pay(1);
    await (
      await pay(2)
    ).settled;
    expect(paid(device)).toEqual([2]);
  });

  test('at most as many are sent at once as are allowed', async () => {
    const device = openDevice();
    device.server.fates.push('hang', 'hang', 'hang');
    const { pay } = device.open({ concurrency: 2 });
    for (const cents of [1, 2, 3]) await pay(cents);
    await device.clock.advance(1_000);
    expect(device.server.seen).toHaveLength(2);
  });

  test('what comes after another is sent when that has succeeded', async () => {
    const device = openDevice();
    device.server.fates.push(status(503));
    const { journal, pay } = device.open();
    const { record } = await pay(1);
    await pay(2, { after: [record.id] });
    await device.clock.advance(60_000);
    await journal.drain();
    expect(paid(device)).toEqual([1, 2]);
  });

  test('what comes after something that failed is never sent, and is told', async () => {
    const device = openDevice();
    device.server.fates.push(status(422));
    const { journal, pay } = device.open();
    journal.pause();
    const { record, settled: first } = await pay(1);
    const { record: second, settled } = await pay(2, { after: [record.id] });
    const { settled: third } = await pay(3, { after: [second.id] });
    journal.resume();
    await expect(first).rejects.toMatchObject({ status: 422 });
    await expect(settled).rejects.toMatchObject({ reason: 'aborted', execution: 'none' });
    await expect(third).rejects.toMatchObject({ reason: 'aborted', execution: 'none' });
    expect(device.server.seen).toEqual([]);
  });

  test('an outcome that nobody knows holds up its lane until it is resolved', async () => {
    const device = openDevice();
    const { journal, pay } = device.open();
    device.server.fates.push(
      new IdempotencyError('IDEMPOTENCY_KEY_EXPIRED', { keyRetentionMs: 1 }),
    );
    const { record, settled } = await pay(1, { lane: 'account' });
    await pay(2, { lane: 'account' });
    await expect(settled).rejects.toMatchObject({ reason: 'unresolved' });
    await device.clock.advance(day / 2);
    expect(paid(device)).toEqual([]);
    await journal.resolve(record.id, 'executed');
    await device.clock.advance(0);
    expect(paid(device)).toEqual([2]);
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

describe('cancelling', () => {
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

  test('what has settled is settled', async () => {
    const { pay } = openDevice().open();
    const { cancel, settled } = await pay(100);
    await settled;
    expect(await cancel()).toBe('settled');
  });
});

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

describe('a key', () => {
  test('that was never sent and has grown old is replaced before it is sent', async () => {
    const device = openDevice();
    device.network.set(false);
    const { journal, pay } = device.open();
    const { record, settled } = await pay(100);
    await device.clock.advance(day);
    device.network.set(true);
    await settled;
    expect(keysSeen(device)).not.toContain(record.key);
    expect(paid(device)).toEqual([100]);
    await device.clock.advance(0);
    expect(journal.records()).toEqual([]);
  });

  test('that was sent and has grown old is never sent again: the application is asked', async () => {
    const device = openDevice();
    device.server.fates.push('answer-lost');
    const { journal, pay } = device.open();
    const { settled, record } = await pay(100);
    await device.clock.advance(0);
    device.network.set(false);
    await device.clock.advance(day);
    device.network.set(true);
    await expect(settled).rejects.toMatchObject({ reason: 'unresolved', execution: 'possible' });
    expect(journal.records()).toMatchObject([{ id: record.id, state: 'unresolved' }]);
    expect(device.server.seen).toHaveLength(1);

    await journal.resolve(record.id, 'discard');
    await device.clock.advance(0);
    expect(paid(device)).toEqual([100]);
  });

  test('is new when the application says that the old one did nothing', async () => {
    const device = openDevice();
    const { journal, pay } = device.open();
    device.server.fates.push(
      new IdempotencyError('IDEMPOTENCY_KEY_EXPIRED', { keyRetentionMs: 1 }),
    );
    const { record } = await pay(100);
    await device.clock.advance(0);
    await journal.resolve(record.id, 'send-again');
    await journal.drain();
    expect(paid(device)).toEqual([100]);
    expect(keysSeen(device)).not.toContain(record.key);
  });

  test('is made by the clock of the server, once that is known', async () => {
    const device = openDevice();
    const { pay } = device.open();
    const ahead = device.clock.now() - day;
    device.server.fates.push(
      new IdempotencyError('IDEMPOTENCY_KEY_FUTURE', { serverTimeMs: ahead }),
    );
    const { record, settled } = await pay(100);
    await settled;
    const [sent = ''] = keysSeen(device);
    expect(sent).not.toBe(record.key);
    expect(Number.parseInt(sent.replace('-', '').slice(0, 12), 16)).toBe(ahead);
    expect(paid(device)).toEqual([100]);
  });
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

/** Tabs of which each believes that it is the one that delivers. */
function everybodyLeads(): Tabs {
  return {
    campaign(_, events) {
      events.elected();
      return () => {};
    },
    announce() {},
    listen: () => () => {},
  };
}

describe('two tabs', () => {
  test('submit one intent: one request, and both get the answer', async () => {
    const device = openDevice();
    const [left, right] = [device.open(), device.open()];
    await device.clock.advance(0);
    const [first, second] = await Promise.all([
      left.pay(100, { intent: 'order 1' }),
      right.pay(100, { intent: 'order 1' }),
    ]);
    expect(await first.settled).toEqual({ paid: { cents: 100 }, replayed: false });
    expect(await second.settled).toEqual({ paid: { cents: 100 }, replayed: false });
    expect(device.server.seen).toHaveLength(1);
  });

  test('a tab gets the answer to what the other has sent', async () => {
    const device = openDevice();
    const [leader, follower] = [device.open(), device.open()];
    device.server.fates.push('hang');
    await leader.pay(1);
    const { settled } = await follower.pay(2);
    await expect(settled).resolves.toMatchObject({ paid: { cents: 2 } });
  });

  test('a tab that takes long to decode gets the answer all the same', async () => {
    const device = openDevice();
    const leader = device.open();
    const follower = device.open({ codec: { encode: (text) => text, decode: slowly } });
    device.network.set(false);
    await leader.pay(100, { intent: 'order 1' });
    const { settled } = await follower.pay(100, { intent: 'order 1' });
    device.network.set(true);
    await expect(settled).resolves.toMatchObject({ paid: { cents: 100 } });
    await device.clock.advance(0);
    expect(follower.journal.records()).toEqual([]);
  });

  test('a tab that takes over keeps what is submitted meanwhile', async () => {
    const device = openDevice();
    let proceed = () => {};
    const list = async (scope: string) => {
      const rows = await device.store.list(scope);
      if (rows.length > 0) await new Promise<void>((resolve) => (proceed = resolve));
      return rows;
    };
    const { pay } = device.open({ store: { ...device.store, list, tabs: everybodyLeads() } });
    await pay(1);
    await device.clock.advance(0);
    const { settled } = await pay(2);
    proceed();
    await expect(settled).resolves.toMatchObject({ paid: { cents: 2 } });
    expect(paid(device)).toEqual([1, 2]);
  });

  test('a tab that has missed the answer does not say that nothing has happened', async () => {
    const device = openDevice();
    let hear: (change: RowChange) => void = () => {};
    const tabs: Tabs = {
      campaign: () => () => {},
      announce() {},
      listen(listener) {
        hear = listener;
        return () => {};
      },
    };
    const { settled, record } = await device.open({ store: { ...device.store, tabs } }).pay(100);
    hear({ seq: record.seq });
    await expect(settled).rejects.toMatchObject({ reason: 'unresolved', execution: 'possible' });
  });

  test('when the one that delivers dies, the other goes on, under the same key', async () => {
    const device = openDevice();
    const [leader, follower] = [device.open(), device.open()];
    device.server.fates.push('hang');
    const { record } = await leader.pay(100);
    await device.clock.advance(0);
    leader.kill();
    await device.clock.advance(0);
    await follower.journal.drain();
    expect(keysSeen(device)).toEqual([record.key]);
    expect(paid(device)).toEqual([100]);
  });

  test('of two users do not wait for each other', async () => {
    const device = openDevice();
    const alice = device.open();
    device.server.fates.push(status(503, { 'retry-after': '3600' }));
    await alice.pay(100);
    await device.clock.advance(0);
    expect(alice.journal.records()).toMatchObject([{ state: 'waiting' }]);
    const bob = device.open({ scope: 'bob' });
    const { settled } = await bob.pay(200);
    await device.clock.advance(0);
    await settled;
    expect(paid(device)).toEqual([200]);
  });

  test('that both deliver make one effect, and settle it once', async () => {
    const device = openDevice();
    const open = () => device.open({ store: { ...device.store, tabs: everybodyLeads() } });
    device.network.set(false);
    const left = open();
    await left.pay(100);
    const right = open();
    await device.clock.advance(0);
    device.network.set(true);
    await Promise.all([left.journal.drain(), right.journal.drain(), device.clock.advance(1_000)]);
    expect(paid(device)).toEqual([100]);
    expect(keysSeen(device)).toHaveLength(1);
  });
});

describe('a row that cannot be read', () => {
  test.each([
    ['damaged', (body: string) => body.replace('"cents', '"pence'), 'corrupt'],
    ['no journal wrote', () => 'something else', 'corrupt'],
    ['of a later version', (body: string) => body.replace(/^1:/, '2:'), 'newer'],
  ])('%s is kept, shown, and never sent', async (_, damage, problem) => {
    const device = openDevice();
    device.network.set(false);
    const first = device.open();
    await first.pay(100);
    first.kill();
    const [row] = await device.store.list('alice');
    await device.store.update({ ...row!, body: damage(row!.body.replaceAll('\\"', '"')) });
    device.network.set(true);
    const { journal, events } = device.open();
    await device.clock.advance(day);
    expect(journal.quarantined()).toEqual([{ seq: 1, problem }]);
    expect(events).toEqual([{ kind: 'row-quarantined', row: { seq: 1, problem } }]);
    expect(device.server.seen).toEqual([]);
    expect(await device.store.list('alice')).toHaveLength(1);
  });

  test('because of its encryption is kept too', async () => {
    const device = openDevice();
    device.network.set(false);
    const reversed = (text: string) => [...text].reverse().join('');
    const first = device.open({ codec: { encode: reversed, decode: reversed } });
    await first.pay(100);
    first.kill();
    expect((await device.store.list('alice'))[0]?.body).not.toContain('cents');
    const wrong = {
      encode: reversed,
      decode: () => {
        throw new Error('another key');
      },
    };
    const second = device.open({ codec: wrong });
    await device.clock.advance(0);
    expect(second.journal.quarantined()).toEqual([{ seq: 1, problem: 'undecodable' }]);
    second.kill();
    device.network.set(true);
    await device.open({ codec: { encode: reversed, decode: reversed } }).journal.drain();
    expect(paid(device)).toEqual([100]);
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
