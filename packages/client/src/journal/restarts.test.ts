import { deferred } from '../../../../test/support/deferred.ts';
import { IdempotencyError } from '@onceward/core';
import { describe, expect, test } from 'vitest';
import { status } from '../../test/delivery-fixture.ts';
import { day, keysSeen, openDevice, paid } from '../../test/journal-fixture.ts';

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

test('whoever asks by the id of a record gets the answer, and nothing is left', async () => {
  const device = openDevice();
  const first = device.open();
  device.server.fates.push('hang');
  const { record } = await first.pay(100);
  await device.clock.advance(0);
  first.kill();

  const { journal } = device.open();
  const settlement = journal.settlementOf(record.id);
  await expect(settlement).resolves.toEqual({ paid: { cents: 100 }, replayed: true });
  await device.clock.advance(0);
  expect(journal.records()).toEqual([]);
  await expect(journal.settlementOf(record.id)).rejects.toMatchObject({ reason: 'unresolved' });
});

test('whoever asks while a handler is being told gets the answer too', async () => {
  const device = openDevice();
  const { journal, pay } = device.open();
  const taken = deferred<void>();
  journal.onSettled('pay', () => taken.promise);
  const { record, settled } = await pay(100);
  await settled;
  const late = journal.settlementOf(record.id);
  await device.clock.advance(0);
  taken.resolve();
  await expect(late).resolves.toEqual({ paid: { cents: 100 }, replayed: false });
});

test('whoever asks while a handler fails gets the answer too', async () => {
  const device = openDevice();
  const { journal, pay } = device.open();
  const refused = deferred<void>();
  journal.onSettled('pay', () => refused.promise);
  const { record, settled } = await pay(100);
  await settled;
  const late = journal.settlementOf(record.id);
  await device.clock.advance(0);
  refused.reject(new Error('not ready'));
  await expect(late).resolves.toEqual({ paid: { cents: 100 }, replayed: false });
});

test('an answer that a later version of the application cannot read is gone', async () => {
  const device = openDevice();
  const first = device.open();
  first.journal.onSettled('pay', () => Promise.reject(new Error('not ready')));
  await first.pay(100);
  await device.clock.advance(0);
  first.kill();

  const transformer = {
    serialize: (value: unknown) => value,
    deserialize(): never {
      throw new Error('another format');
    },
  };
  const second = device.open({ transformer });
  const ends: unknown[] = [];
  second.journal.onSettled('pay', (end) => ends.push(end));
  await device.clock.advance(day);
  expect(ends).toMatchObject([{ kind: 'failed', error: { reason: 'executed' } }]);
  expect(second.events).toEqual([]);
  expect(second.journal.records()).toEqual([]);
});

test('an answer that nobody asks for is kept for as long as was said', async () => {
  const device = openDevice();
  const first = device.open();
  device.server.fates.push('hang');
  await first.pay(100);
  await device.clock.advance(0);
  first.kill();
  const second = device.open({ keepSettledMs: day });
  await device.clock.advance(day - 1_000);
  expect(second.journal.records()).toMatchObject([{ state: 'succeeded' }]);
  second.kill();
  await device.clock.advance(1_000);
  device.open({ keepSettledMs: day });
  await device.clock.advance(0);
  expect(await device.store.list('alice')).toEqual([]);
});

test('what is being handed over is not handed over again because of something else', async () => {
  const device = openDevice();
  const { journal, pay } = device.open();
  const taken = deferred<void>();
  const told: string[] = [];
  journal.onSettled('pay', ({ kind }) => {
    told.push(kind);
    return taken.promise;
  });
  await pay(100);
  await device.clock.advance(0);
  journal.onSettled('ship', () => {});
  await device.clock.advance(0);
  expect(told).toEqual(['succeeded']);
  taken.resolve();
  await device.clock.advance(0);
  expect(journal.records()).toEqual([]);
});
