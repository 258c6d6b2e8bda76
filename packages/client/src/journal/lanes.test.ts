import { deferred } from '../../../../test/support/deferred.ts';
import { IdempotencyError } from '@onceward/core';
import { describe, expect, test } from 'vitest';
import { status } from '../../test/delivery-fixture.ts';
import { day, openDevice, paid } from '../../test/journal-fixture.ts';

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

describe('what is submitted to come after something that has failed', () => {
  test('is not sent either', async () => {
    const device = openDevice();
    device.server.fates.push(status(422));
    const { pay } = device.open();
    const { record, settled } = await pay(1);
    await expect(settled).rejects.toMatchObject({ status: 422 });
    await device.clock.advance(0);
    const { settled: second } = await pay(2, { after: [record.id] });
    await expect(second).rejects.toMatchObject({ reason: 'aborted', execution: 'none' });
    expect(device.server.seen).toEqual([]);
  });

  test('and is being removed is told', async () => {
    const device = openDevice();
    const { journal, pay } = device.open();
    journal.pause();
    const { record, cancel } = await pay(1);
    const [, { settled }] = await Promise.all([cancel(), pay(2, { after: [record.id] })]);
    journal.resume();
    await device.clock.advance(0);
    await expect(settled).rejects.toMatchObject({ reason: 'aborted', execution: 'none' });
    expect(device.server.seen).toEqual([]);
  });
});

test('what comes after something that is called off is told without a network', async () => {
  const device = openDevice();
  device.network.set(false);
  const { pay } = device.open();
  const { record, cancel } = await pay(1);
  const { settled } = await pay(2, { after: [record.id] });
  await cancel();
  await expect(settled).rejects.toMatchObject({ reason: 'aborted', execution: 'none' });
});

test('an outcome that nobody knows holds up its lane after a restart too', async () => {
  const device = openDevice();
  const first = device.open();
  device.server.fates.push(new IdempotencyError('IDEMPOTENCY_KEY_EXPIRED', { keyRetentionMs: 1 }));
  await first.pay(1, { lane: 'account' });
  await device.clock.advance(0);
  device.network.set(false);
  await first.pay(2, { lane: 'account' });
  first.kill();
  device.network.set(true);
  device.open();
  await device.clock.advance(60_000);
  expect(paid(device)).toEqual([]);
});

test('what comes after something whose end nobody has seen is not sent', async () => {
  const device = openDevice();
  device.server.fates.push(status(422));
  const ended = deferred<void>();
  const insert: typeof device.store.insert = async (draft) => {
    if (draft.intent !== 'second') return device.store.insert(draft);
    await ended.promise;
    await device.store.insert(draft);
    // The page dies, and with it what it knows.
    return new Promise(() => {});
  };
  const first = device.open({ store: { ...device.store, insert } });
  first.journal.pause();
  const { record, settled } = await first.pay(1);
  void first.pay(2, { intent: 'second', after: [record.id] });
  await device.clock.advance(0);
  first.journal.resume();
  await expect(settled).rejects.toMatchObject({ status: 422 });
  await device.clock.advance(0);
  expect(await device.store.list('alice')).toEqual([]);
  ended.resolve();
  await device.clock.advance(0);

  const ends: unknown[] = [];
  device.open().journal.onSettled('pay', (end) => ends.push(end));
  await device.clock.advance(60_000);
  expect(device.server.seen).toEqual([]);
  expect(ends).toMatchObject([{ kind: 'failed', error: { reason: 'aborted', execution: 'none' } }]);
});

test('what comes after a success is sent by the next page, which has not seen that', async () => {
  const device = openDevice();
  const first = device.open();
  first.journal.pause();
  const submission = { channel: 'bank', operation: 'pay', input: { cents: 1 } };
  const { record } = await first.journal.submit(submission, async (attempt) => {
    attempt.takeKey();
    device.network.set(false);
    return 'paid';
  });
  await first.pay(2, { after: [record.id] });
  first.journal.resume();
  await device.clock.advance(0);
  expect(first.journal.records()).toMatchObject([{ state: 'queued' }]);
  first.kill();
  device.network.set(true);
  await device.open().journal.drain();
  expect(paid(device)).toEqual([2]);
});

test('what comes after something that is long gone is sent', async () => {
  const device = openDevice();
  const first = device.open();
  const { record, settled } = await first.pay(1);
  await settled;
  await device.clock.advance(0);
  first.kill();
  const { settled: second } = await device.open().pay(2, { after: [record.id] });
  await second;
  expect(paid(device)).toEqual([1, 2]);
});

test('what is submitted after a restart, before the journal is read, waits for what is in it', async () => {
  const device = openDevice();
  device.network.set(false);
  const first = device.open();
  const { record } = await first.pay(1);
  first.kill();
  device.network.set(true);
  device.server.fates.push(status(503));
  await device.open().pay(2, { after: [record.id] });
  await device.clock.advance(60_000);
  expect(paid(device)).toEqual([1, 2]);
});
