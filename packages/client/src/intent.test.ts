import { type CurrentIntent, type IdempotencyKey, provideCurrentIntent } from '@onceward/core';
import { afterEach, describe, expect, test } from 'vitest';
import { openDeliveryFixture, serverThat, status } from '../test/delivery-fixture.ts';

afterEach(() => provideCurrentIntent(() => undefined));

describe('inside a handler of the server', () => {
  test('the key is derived from the current intent, once per intent', async () => {
    const asked = actAsHandler();
    const { delivery, clock } = openDeliveryFixture();
    const server = serverThat(status(503), 'paid');
    const paid = delivery.deliver({ operation: 'ledger.book' }, server.send);
    await clock.advance(1_000);
    await paid;
    expect(server.seen.map(({ key }) => key)).toEqual([
      'child-0-of-ledger.book',
      'child-0-of-ledger.book',
    ]);
    expect(asked).toEqual(['ledger.book']);
  });

  test('keys follow the order of the calls, not of what happens to them', async () => {
    actAsHandler();
    const { delivery } = openDeliveryFixture();
    const servers = [serverThat('first'), serverThat('second')];
    await Promise.all(servers.map(({ send }) => delivery.deliver({ operation: 'book' }, send)));
    const keys = servers.map(({ seen }) => seen[0]?.key);
    expect(keys).toEqual(['child-0-of-book', 'child-1-of-book']);
  });

  test('a key of the caller comes first', async () => {
    const asked = actAsHandler();
    const { delivery } = openDeliveryFixture();
    const key = 'a-key-of-the-caller' as IdempotencyKey;
    const server = serverThat('paid');
    await delivery.deliver({ operation: 'book', key }, server.send);
    expect([server.seen[0]?.key, asked]).toEqual([key, []]);
  });
});

test('outside a handler every intent has a key of its own', async () => {
  const { delivery } = openDeliveryFixture();
  const server = serverThat('paid');
  await delivery.deliver({ operation: 'pay' }, server.send);
  await delivery.deliver({ operation: 'pay' }, server.send);
  expect(new Set(server.seen.map(({ key }) => key)).size).toBe(2);
});

test.each([
  ['no operation', {}, /`operation`/],
  ['an empty operation', { operation: '' }, /`operation`/],
  ['an empty key', { operation: 'pay', key: '' }, /`key`/],
  ['a number for a key', { operation: 'pay', key: 7 }, /`key`/],
  ['a deadline of 0', { operation: 'pay', deadlineMs: 0 }, /`deadlineMs`/],
])('an intent with %s is refused before anything is sent', async (_, intent, message) => {
  const { delivery } = openDeliveryFixture();
  const server = serverThat('paid');
  await expect(delivery.deliver(intent as never, server.send)).rejects.toThrow(message);
  expect(server.seen).toEqual([]);
});

/** Puts an intent around the test, as the server does around a handler. */
function actAsHandler(): string[] {
  const asked: string[] = [];
  const intent: CurrentIntent = {
    key: 'the-parents-key' as IdempotencyKey,
    childKey(operation) {
      asked.push(operation);
      return `child-${asked.length - 1}-of-${operation}` as IdempotencyKey;
    },
  };
  provideCurrentIntent(() => intent);
  return asked;
}
