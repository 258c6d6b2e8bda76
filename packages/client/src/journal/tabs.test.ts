import { deferred } from '../../../../test/support/deferred.ts';
import { IdempotencyError } from '@onceward/core';
import type { CampaignEvents, RowChange, Tabs } from '@onceward/core/journal';
import { describe, expect, test } from 'vitest';
import { status } from '../../test/delivery-fixture.ts';
import {
  createMemoryTabs,
  day,
  type Device,
  keysSeen,
  openDevice,
  type Page,
  paid,
  turns,
} from '../../test/journal-fixture.ts';

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

describe('a tab', () => {
  test('that begins to deliver keeps what is submitted meanwhile', async () => {
    const device = openDevice();
    let listing = 0;
    const list: typeof device.store.list = async (scope) => {
      const rows = await device.store.list(scope);
      // The second time is when it is elected.
      await turns(listing++ > 0 ? 50 : 0);
      return rows;
    };
    const { pay, journal } = device.open({
      store: { ...device.store, list, tabs: createMemoryTabs()() },
    });
    await pay(1);
    await pay(2);
    await journal.drain();
    expect(paid(device)).toEqual([1, 2]);
  });

  test('that has not read the journal yet does not send what it hears of', async () => {
    const device = openDevice();
    device.network.set(false);
    const first = device.open();
    const { record } = await first.pay(1);
    let goOn = () => {};
    const held = new Promise<void>((resolve) => (goOn = resolve));
    const list: typeof device.store.list = async (scope) => {
      const rows = await device.store.list(scope);
      await held;
      return rows;
    };
    const tabs = device.connect();
    const second = device.open({ store: { ...device.store, list, tabs } });
    await first.pay(2, { after: [record.id] });
    await device.clock.advance(0);
    first.kill();
    device.network.set(true);
    device.server.fates.push('hang');
    goOn();
    await device.clock.advance(1_000);
    expect(device.server.seen.map(({ input }) => input)).toEqual([{ cents: 1 }]);
    second.kill();
  });

  test('that has not read the journal yet removes nothing that others come after', async () => {
    const device = openDevice();
    device.network.set(false);
    const tabs = device.connect();
    let lastSeq = Infinity;
    const update: typeof device.store.update = (row) => {
      if (row.seq !== lastSeq) return device.store.update(row);
      // Dies when it is about to say that the last need not wait any more.
      tabs.leave();
      return new Promise(() => {});
    };
    const first = device.open({ store: { ...device.store, update, tabs } });
    const { record } = await first.pay(1);
    lastSeq = (await first.pay(2, { after: [record.id] })).record.seq;

    const list = () => new Promise<never>(() => {});
    const heard: number[] = [];
    const listening = device.connect();
    listening.listen(({ seq }) => heard.push(seq));
    const store = { ...device.store, list, tabs: listening };
    // Its clock is ahead, so that it would remove a record as soon as it hears that it has settled.
    const clock = { ...device.clock, now: () => device.clock.now() + 1 };
    const second = device.open({ store, clock, keepSettledMs: 1 });
    device.network.set(true);
    await device.clock.advance(1_000);
    expect(paid(device)).toEqual([1]);
    expect(heard).toContain(record.seq);
    expect(await device.store.get(record.seq)).toBeDefined();
    second.journal.close();
    device.open();
    await device.clock.advance(1_000);
    expect(paid(device)).toEqual([1, 2]);
  });

  test('that opens tells the one that delivers what a third has written, and died', async () => {
    const device = openDevice();
    const leader = device.open();
    device.server.fates.push(
      new IdempotencyError('IDEMPOTENCY_KEY_EXPIRED', { keyRetentionMs: 1 }),
    );
    await leader.pay(1);
    await device.clock.advance(0);
    const insert: typeof device.store.insert = async (draft) => {
      await device.store.insert(draft);
      return new Promise(() => {});
    };
    void device.open({ store: { ...device.store, insert, tabs: device.connect() } }).pay(2);
    await device.clock.advance(1_000);
    expect(paid(device)).toEqual([]);
    device.open();
    await device.clock.advance(1_000);
    expect(paid(device)).toEqual([2]);
  });

  test('that was not told what another has sent does not say that it did nothing', async () => {
    const device = openDevice();
    device.network.set(false);
    const deaf = everybodyLeads();
    const left = device.open({ store: { ...device.store, tabs: deaf } });
    const { settled } = await left.pay(100);
    left.journal.pause();
    const right = device.open({ store: { ...device.store, tabs: deaf } });
    right.journal.onSettled('pay', () => {});
    device.network.set(true);
    await device.clock.advance(1_000);
    expect(paid(device)).toEqual([100]);
    left.journal.resume();
    await expect(settled).rejects.toMatchObject({ reason: 'unresolved', execution: 'possible' });
  });
});

/** Tabs of which each believes that it is the one that delivers, and hears nothing. */
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

/** Decodes, when everybody else has had a turn. */
async function slowly(text: string): Promise<string> {
  await new Promise((resolve) => setImmediate(resolve));
  return text;
}

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

test('what an earlier page has left is shown at once, however long each takes to decode', async () => {
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

test('tabs of two users do not wait for each other', async () => {
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

test('of two tabs that have handlers, the one that delivers tells its own', async () => {
  const device = openDevice();
  const told: string[] = [];
  const [leader, follower] = [device.open(), device.open()];
  leader.journal.onSettled('pay', () => void told.push('leader'));
  follower.journal.onSettled('pay', () => void told.push('follower'));
  await leader.pay(100);
  await device.clock.advance(1_000);
  expect(told).toEqual(['leader']);
});

test('a revision that takes longer to decrypt does not replace a later one', async () => {
  const device = openDevice();
  const decode = async (text: string) => {
    await turns(text.includes('"state":"queued"') ? 200 : 0);
    return text;
  };
  const leader = device.open();
  const follower = device.open({ codec: { encode: (text) => text, decode } });
  await device.clock.advance(0);
  device.server.fates.push('hang');
  await leader.pay(100);
  await device.clock.advance(0);
  expect(follower.journal.records()).toMatchObject([{ state: 'sending' }]);
});

test('what another tab has called off stays so when the answer comes', async () => {
  const device = openDevice();
  const [leader, follower] = [device.open(), device.open()];
  let answer = () => {};
  const held = new Promise<string>((resolve) => (answer = () => resolve('paid')));
  leader.journal.onSettled('pay', () => Promise.reject(new Error('not ready')));
  const submission = { channel: 'bank', operation: 'pay', input: { cents: 100 } };
  const { record } = await leader.journal.submit(submission, (attempt) => {
    attempt.takeKey();
    return held;
  });
  await device.clock.advance(0);
  expect(await follower.journal.cancel(record.id)).toBe('maybe-executed');
  await device.clock.advance(0);
  answer();
  await device.clock.advance(1_000);
  expect(leader.journal.records()).toMatchObject([{ id: record.id, state: 'cancelled' }]);
});

test('a tab that begins to deliver forgets what is gone', async () => {
  const device = openDevice();
  let elect = () => {};
  const tabs = {
    campaign(_scope: string, events: { elected(): void }) {
      elect = () => events.elected();
      return () => {};
    },
    announce() {},
    listen: () => () => {},
  };
  const { journal, pay } = device.open({ store: { ...device.store, tabs } });
  const { settled } = await pay(100);
  await device.clock.advance(0);
  await device.store.remove({ seq: 1, rev: 1 });
  device.network.set(false);
  elect();
  await expect(settled).rejects.toMatchObject({ reason: 'unresolved' });
  expect(journal.records()).toEqual([]);
});

describe('a tab that leads', () => {
  test('and is paused lets another deliver, and does not take that back', async () => {
    const device = openDevice();
    const [leader, follower] = [device.open(), device.open()];
    device.network.set(false);
    await leader.pay(1);
    await device.clock.advance(0);
    leader.journal.pause();
    device.network.set(true);
    const { settled } = await follower.pay(2);
    await settled;
    await device.clock.advance(0);
    expect(paid(device)).toEqual([1, 2]);
    leader.journal.resume();
    await leader.pay(3);
    await device.clock.advance(0);
    expect(paid(device)).toEqual([1, 2, 3]);
  });

  test('and is paused finishes what is under way, and hands it over', async () => {
    const device = openDevice();
    const { journal } = device.open();
    const answer = deferred<string>();
    const ends: string[] = [];
    journal.onSettled('pay', ({ kind }) => void ends.push(kind));
    const submission = { channel: 'bank', operation: 'pay', input: {} };
    await journal.submit(submission, (attempt) => {
      attempt.takeKey();
      return answer.promise;
    });
    await device.clock.advance(0);
    journal.pause();
    await device.clock.advance(0);
    answer.resolve('paid');
    await device.clock.advance(0);
    expect(ends).toEqual(['succeeded']);
  });

  test('and needs somebody to sign in lets another deliver', async () => {
    const device = openDevice();
    const [leader, follower] = [device.open(), device.open()];
    await device.clock.advance(0);
    device.server.fates.push(status(401));
    await leader.pay(1);
    await device.clock.advance(0);
    expect(leader.events).toEqual([{ kind: 'sign-in-needed' }]);
    await device.clock.advance(1_000);
    expect(follower.events).toEqual([]);
    expect(paid(device)).toEqual([1]);
  });

  test('lets another tell its handlers when there is nothing left that it can do', async () => {
    const device = openDevice();
    const [leader, follower] = [device.open(), device.open()];
    const told: string[] = [];
    follower.journal.onSettled('pay', ({ kind }) => void told.push(kind));
    device.server.fates.push('hang');
    const first = device.open();
    await first.pay(1);
    await device.clock.advance(0);
    first.kill();
    await device.clock.advance(60_000);
    expect(told).toEqual(['succeeded']);
    expect(leader.journal.records()).toEqual([]);
  });

  test('and is deposed while it reads what others have written does not lead', async () => {
    const device = openDevice();
    let events: CampaignEvents | undefined;
    const campaign: Tabs['campaign'] = (_, heard) => {
      events = heard;
      return () => {};
    };
    const { pay } = device.open({
      store: { ...device.store, tabs: { ...everybodyLeads(), campaign } },
    });
    await pay(1);
    await device.clock.advance(0);
    events?.elected();
    events?.deposed();
    await device.clock.advance(60_000);
    expect(device.server.seen).toEqual([]);
  });
});

test('records are in the order of submission, whichever a tab heard of first', async () => {
  const device = openDevice();
  device.network.set(false);
  const heard: ((change: RowChange) => void)[] = [];
  const tabs: Tabs = {
    campaign: () => () => {},
    announce() {},
    listen(listener) {
      heard.push(listener);
      return () => {};
    },
  };
  const { journal } = device.open({ store: { ...device.store, tabs } });
  await device.clock.advance(0);
  const other = device.open();
  for (const cents of [1, 2, 3]) await other.pay(cents);
  const rows = await device.store.list('alice');
  for (const row of [rows[2], rows[0], rows[1]]) heard[0]?.({ seq: row?.seq ?? 0, row });
  await device.clock.advance(0);
  expect(journal.records().map(({ seq }) => seq)).toEqual([1, 2, 3]);
});

test('a tab that opens says so once, however much is queued', async () => {
  const device = openDevice();
  device.network.set(false);
  const first = device.open();
  for (let cents = 1; cents <= 20; cents++) await first.pay(cents);
  const announced: RowChange[] = [];
  const tabs = { ...device.connect(), announce: (change: RowChange) => announced.push(change) };
  device.open({ store: { ...device.store, tabs } });
  await device.clock.advance(0);
  expect(announced).toEqual([{ seq: 0, scope: 'alice' }]);
});

test('what is handed over while a tab reads everything again does not come back', async () => {
  const device = openDevice();
  const reading = deferred<void>();
  let slow = false;
  const list: typeof device.store.list = async (scope) => {
    const rows = await device.store.list(scope);
    if (slow) await reading.promise;
    return rows;
  };
  const told: string[] = [];
  const { journal, pay } = device.open({
    store: { ...device.store, list, tabs: device.connect() },
  });
  const taken = deferred<void>();
  journal.onSettled('pay', ({ kind }) => {
    told.push(kind);
    return taken.promise;
  });
  await pay(1);
  await device.clock.advance(0);
  slow = true;
  device.connect().announce({ seq: 0, scope: 'alice' });
  await device.clock.advance(0);
  taken.resolve();
  await device.clock.advance(0);
  expect(await device.store.list('alice')).toEqual([]);
  expect(journal.records()).toEqual([]);
  let changes = 0;
  journal.subscribe(() => changes++);
  reading.resolve();
  await device.clock.advance(0);
  expect([told, changes]).toEqual([['succeeded'], 0]);
});

test('what comes and goes while a tab reads everything again does not come back', async () => {
  const device = openDevice();
  const [submitted, gone] = [deferred<void>(), deferred<void>()];
  let slow = false;
  const list: typeof device.store.list = async (scope) => {
    if (slow) await submitted.promise;
    const rows = await device.store.list(scope);
    if (slow) await gone.promise;
    return rows;
  };
  const leader = device.open({ store: { ...device.store, list, tabs: device.connect() } });
  const other = device.open();
  device.server.fates.push(status(503));
  await leader.pay(1);
  await device.clock.advance(0);
  slow = true;
  device.connect().announce({ seq: 0, scope: 'alice' });
  await device.clock.advance(0);
  device.server.fates.push(new IdempotencyError('IDEMPOTENCY_KEY_EXPIRED', { keyRetentionMs: 1 }));
  const { record } = await other.pay(2);
  await device.clock.advance(0);
  expect(leader.journal.records()).toMatchObject([{ seq: 1 }, { seq: 2, state: 'unresolved' }]);
  submitted.resolve();
  await device.clock.advance(0);
  await other.journal.resolve(record.id, 'discard');
  await other.journal.settlementOf(record.id).catch(() => {});
  await device.clock.advance(0);
  expect(await device.store.list('alice')).toHaveLength(1);
  gone.resolve();
  await device.clock.advance(0);
  const shown = [leader, other].map(({ journal }) => journal.records().map(({ seq }) => seq));
  expect(shown).toEqual([[1], [1]]);
});

test('what a tab that was frozen tells of a record that is gone does not bring it back', async () => {
  const device = openDevice();
  const [left, right] = [device.open(), device.open()];
  const told: RowChange[] = [];
  device.connect().listen((change) => void told.push(change));
  await (
    await left.pay(1)
  ).settled;
  await device.clock.advance(0);
  const [answered] = told.filter(({ row }) => row).reverse();
  device.connect().announce(answered!);
  await device.clock.advance(0);
  expect([left.journal.records(), right.journal.records()]).toEqual([[], []]);
});

test('what is removed while a tab opens is not shown', async () => {
  const device = openDevice();
  device.server.fates.push('hang');
  const leader = device.open();
  const { cancel } = await leader.pay(1);
  await device.clock.advance(0);
  const reading = deferred<void>();
  const list: typeof device.store.list = async (scope) => {
    const rows = await device.store.list(scope);
    if (scope === 'alice') await reading.promise;
    return rows;
  };
  const { journal } = device.open({ store: { ...device.store, list, tabs: device.connect() } });
  // Or it would read everything once more, to deliver.
  journal.pause();
  await device.clock.advance(0);
  await cancel();
  await device.clock.advance(0);
  reading.resolve();
  await device.clock.advance(0);
  expect(journal.records()).toEqual([]);
  expect(device.server.seen).toHaveLength(1);
});

test('what a tab hears late does not undo what it knows', async () => {
  const device = openDevice();
  const [leader, follower] = [device.open(), device.open()];
  await device.clock.advance(0);
  const announced: RowChange[] = [];
  device.connect().listen((change) => announced.push(change));
  device.server.fates.push('hang');
  await leader.pay(100);
  await device.clock.advance(0);
  expect(follower.journal.records()).toMatchObject([{ state: 'sending' }]);
  device.connect().announce(announced[0]!);
  await device.clock.advance(0);
  expect(follower.journal.records()).toMatchObject([{ state: 'sending' }]);
});

test('what another tab calls off while it is written down that it is sent is not sent', async () => {
  const device = openDevice();
  let cancelled: Promise<unknown> | undefined;
  const update: typeof device.store.update = async (row) => {
    if (row.body.includes('"state":"sending"')) {
      cancelled ??= follower.journal.cancel(follower.journal.records()[0]?.id ?? '');
      await cancelled;
    }
    return device.store.update(row);
  };
  device.open({ store: { ...device.store, update, tabs: device.connect() } });
  const follower = device.open();
  // So that the other one leads.
  follower.journal.pause();
  await device.clock.advance(0);
  const { settled } = await follower.pay(100);
  await expect(settled).rejects.toMatchObject({ reason: 'aborted', execution: 'none' });
  expect(await cancelled).toBe('cancelled');
  await device.clock.advance(60_000);
  expect(device.server.seen).toEqual([]);
});

describe('that the user has signed in again, said in one tab,', () => {
  test('makes that tab deliver what another could not', async () => {
    const device = openDevice();
    const [leader, other] = [device.open(), device.open()];
    device.server.fates.push(status(401), status(401));
    await leader.pay(1);
    await device.clock.advance(60_000);
    const asked = { kind: 'sign-in-needed' };
    expect([leader.events, other.events, paid(device)]).toEqual([[asked], [asked], []]);
    other.journal.resume();
    await device.clock.advance(0);
    expect(paid(device)).toEqual([1]);
  });

  test('reaches one that leads, and waits for a sign-in that never ends', async () => {
    const device = openDevice();
    const leader = device.open({ refresh: () => new Promise(() => {}) });
    const other = device.open();
    device.server.fates.push(status(401));
    await leader.pay(1);
    await device.clock.advance(60_000);
    expect(paid(device)).toEqual([]);
    other.journal.resume();
    await device.clock.advance(0);
    expect(paid(device)).toEqual([1]);
  });

  test('is known to the others when it is closed', async () => {
    const device = openDevice();
    const [left, right] = [device.open(), device.open()];
    device.server.fates.push(status(401), status(401));
    await left.pay(1);
    await device.clock.advance(0);
    right.journal.resume();
    await device.clock.advance(0);
    right.kill();
    await left.pay(2);
    await device.clock.advance(0);
    expect(paid(device)).toEqual([1, 2]);
  });

  test('does not go on for one that is paused', async () => {
    const device = openDevice();
    const [paused, other] = [device.open(), device.open()];
    await device.clock.advance(0);
    paused.journal.pause();
    other.journal.resume();
    other.kill();
    await paused.pay(1);
    await device.clock.advance(60_000);
    expect(device.server.seen).toEqual([]);
  });
});

test('that there is a network again, said in one tab, reaches the one that leads', async () => {
  const device = openDevice();
  const leader = device.open({ baseDelayMs: day, maxDelayMs: day });
  device.server.fates.push('lost');
  await leader.pay(1);
  await device.clock.advance(0);
  const other = device.open();
  await device.clock.advance(0);
  expect(paid(device)).toEqual([]);
  other.journal.resume();
  await device.clock.advance(0);
  expect(paid(device)).toEqual([1]);
});

describe('what a tab wrote before it died, and told nobody,', () => {
  /** A tab that leads, and dies when it has written a row with this text. */
  function openMortal(device: Device, text: string): Page {
    const tabs = device.connect();
    const update: typeof device.store.update = async (row) => {
      const updated = await device.store.update(row);
      if (!row.body.includes(text)) return updated;
      tabs.leave();
      return new Promise(() => {});
    };
    return device.open({ store: { ...device.store, update, tabs } });
  }

  test('is told to who waits by the one that leads next', async () => {
    const device = openDevice();
    openMortal(device, '"state":"succeeded"');
    const waiter = device.open();
    waiter.journal.pause();
    device.open();
    await device.clock.advance(0);
    const { settled } = await waiter.pay(100);
    await device.clock.advance(0);
    await expect(settled).resolves.toEqual({ paid: { cents: 100 }, replayed: false });
    expect(device.server.seen).toHaveLength(1);
  });

  test('is told to who waits by the one that wanted to change it', async () => {
    const device = openDevice();
    const leader = device.open();
    device.server.fates.push(status(503, { 'retry-after': '600' }));
    const { record } = await leader.pay(100);
    await device.clock.advance(0);
    const waiter = device.open();
    const told = expect(waiter.journal.settlementOf(record.id)).rejects.toMatchObject({
      reason: 'aborted',
      execution: 'possible',
    });
    const mortal = openMortal(device, '"state":"cancelled"');
    await device.clock.advance(0);
    void mortal.journal.cancel(record.id);
    await device.clock.advance(day / 2);
    await told;
    expect(device.server.seen).toEqual([]);
  });
});
