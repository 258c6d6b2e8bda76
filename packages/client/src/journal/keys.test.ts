import { IdempotencyError, type IdempotencyKey, keyTimestamp } from '@onceward/core';
import { describe, expect, test } from 'vitest';
import { status } from '../../test/delivery-fixture.ts';
import { day, type Device, keysSeen, openDevice, paid } from '../../test/journal-fixture.ts';

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
    device.network.set(false);
    await journal.resolve(record.id, 'send-again');
    const [again] = journal.records();
    expect(again).toMatchObject({ state: 'queued', attempts: 0 });
    expect([again?.reason, again?.settledAt, again?.firstSentAt]).toEqual(Array(3).fill(undefined));
    device.network.set(true);
    await journal.drain();
    expect(paid(device)).toEqual([100]);
    expect(keysSeen(device)).not.toContain(record.key);
  });

  test('is made by the clock of the server, once that is known', async () => {
    const device = openDevice();
    const { pay } = device.open();
    const ahead = device.clock.now() - day;
    device.server.fates.push(
      new IdempotencyError('IDEMPOTENCY_KEY_FUTURE', { serverTimeMs: ahead, retryAfterMs: day }),
    );
    const { record, settled } = await pay(100);
    await settled;
    const [sent = ''] = keysSeen(device);
    expect(sent).not.toBe(record.key);
    expect(Number.parseInt(sent.replace('-', '').slice(0, 12), 16)).toBe(ahead);
    expect(paid(device)).toEqual([100]);
  });

  test('that is accepted in a minute is sent again then, and is not replaced before', async () => {
    const device = openDevice();
    const serverTimeMs = device.clock.now() - 360_000;
    device.server.fates.push(
      new IdempotencyError('IDEMPOTENCY_KEY_FUTURE', { serverTimeMs, retryAfterMs: 60_000 }),
    );
    const { record, settled } = await device.open().pay(100);
    await device.clock.advance(59_000);
    expect(paid(device)).toEqual([]);
    await device.clock.advance(10_000);
    await settled;
    expect(keysSeen(device)).toEqual([record.key]);
  });

  test('that is refused for its time again and again is not made in a loop', async () => {
    const device = openDevice();
    const ahead = new IdempotencyError('IDEMPOTENCY_KEY_FUTURE', {
      serverTimeMs: device.clock.now() - day,
      retryAfterMs: day,
    });
    device.server.fates.push(...Array.from({ length: 100 }, () => ahead));
    const { settled } = await device.open().pay(100);
    await expect(settled).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_FUTURE' });
    expect(device.server.fates.length).toBeGreaterThan(90);
  });
});

test('a key that grows too old while it is written down that it is sent is not sent', async () => {
  const device = openDevice();
  const update: typeof device.store.update = async (row) => {
    const updated = await device.store.update(row);
    if (row.body.includes('"state":"sending"')) device.clock.jump(day);
    return updated;
  };
  const { settled } = await device.open({ store: { ...device.store, update } }).pay(100);
  await device.clock.advance(5_000);
  await expect(settled).rejects.toMatchObject({ reason: 'unresolved' });
  expect(device.server.seen).toEqual([]);
});

describe('a clock that is wrong', () => {
  const twoDays = 2 * day;

  /** A page learns how far the device's clock is behind that of the server, and dies. */
  async function learn(device: Device, behindMs: number): Promise<void> {
    const page = device.open();
    const date = new Date(device.clock.now() + behindMs).toUTCString();
    device.server.fates.push(status(503, { Date: date }));
    const { cancel } = await page.pay(1);
    await device.clock.advance(0);
    await cancel();
    await device.clock.advance(0);
    page.kill();
  }

  const madeAt = (key: string) => keyTimestamp(key as IdempotencyKey);

  test.each([
    ['behind', twoDays],
    ['an hour ahead', -day / 24],
  ])('and %s is known to the next page', async (_, behindMs) => {
    const device = openDevice();
    await learn(device, behindMs);
    const { journal } = device.open();
    await device.clock.advance(0);
    expect(madeAt(journal.mintKey())).toBe(device.clock.now() + behindMs);
  });

  test('makes no key that is taken for a forgotten one, not even before that is known', async () => {
    const device = openDevice();
    await learn(device, twoDays);
    const { settled } = await device.open().pay(100);
    await settled;
    expect(keysSeen(device).map(madeAt)).toEqual([device.clock.now() + twoDays]);
  });

  test('and far ahead is not trusted to be: put right, keys would come from too long ago', async () => {
    const device = openDevice();
    await learn(device, -twoDays);
    const { journal } = device.open();
    await device.clock.advance(0);
    expect(madeAt(journal.mintKey())).toBe(device.clock.now());
  });

  test('is nobody else’s record', async () => {
    const device = openDevice();
    await learn(device, twoDays);
    expect(await device.open({ scope: 'bob' }).journal.countOthers()).toBe(0);
    expect(await device.store.countOthers('bob')).toBe(1);
  });

  test('is written down once, however often the server says so', async () => {
    const device = openDevice();
    await learn(device, twoDays);
    await learn(device, twoDays);
    expect(await device.store.list('')).toMatchObject([{ rev: 1, body: `${twoDays}` }]);
    await learn(device, 0);
    expect(await device.store.list('')).toMatchObject([{ rev: 2, body: '0' }]);
  });

  test('that can no longer be read is taken for a right one', async () => {
    const device = openDevice();
    await device.store.insert({ scope: '', intent: 'clock', body: 'half a' });
    const { journal } = device.open();
    await device.clock.advance(0);
    expect(madeAt(journal.mintKey())).toBe(device.clock.now());
  });
});
