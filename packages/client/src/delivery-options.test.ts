import { systemClock } from '@onceward/core';
import { expect, test } from 'vitest';
import { createDelivery } from './create-delivery.ts';
import { type DeliveryOptions, resolveDeliveryOptions } from './delivery-options.ts';
import { describeFailure } from './failure.ts';

const mistakes: [string, DeliveryOptions, RegExp][] = [
  ['no attempts', { maxAttempts: 0 }, /`maxAttempts`.*got 0/],
  ['half an attempt', { maxAttempts: 1.5 }, /`maxAttempts`/],
  ['attempts without time', { attemptTimeoutMs: 0 }, /`attemptTimeoutMs`/],
  ['a deadline of NaN', { deadlineMs: Number.NaN }, /`deadlineMs`.*got NaN/],
  ['a deadline in words', { deadlineMs: '60s' as never }, /`deadlineMs`.*got 60s/],
  ['a negative base', { baseDelayMs: -1 }, /`baseDelayMs`/],
  ['a base of 0', { baseDelayMs: 0 }, /`baseDelayMs`/],
  ['an endless delay', { maxDelayMs: Infinity }, /`maxDelayMs`/],
  ['a list for describeFailure', { describeFailure: [] as never }, /`describeFailure`/],
  ['an object for onEvent', { onEvent: {} as never }, /`onEvent`/],
  ['a number for random', { random: 0.5 as never }, /`random`/],
  ['a key for newKey', { newKey: 'key' as never }, /`newKey`/],
  ['a function for clock', { clock: (() => 0) as never }, /`clock`/],
];

test.each(mistakes)('%s is refused', (_, options, message) => {
  expect(() => createDelivery(options)).toThrow(TypeError);
  expect(() => createDelivery(options)).toThrow(message);
});

test('the defaults are those of the documentation', () => {
  expect(resolveDeliveryOptions({ describeFailure, keyNotSent: '' })).toMatchObject({
    maxAttempts: 8,
    attemptTimeoutMs: 15_000,
    deadlineMs: 60_000,
    baseDelayMs: 500,
    maxDelayMs: 30_000,
    clock: systemClock,
  });
});

test('attempts and time may be without limit', () => {
  const endless = { maxAttempts: Infinity, deadlineMs: Infinity, attemptTimeoutMs: Infinity };
  expect(resolveDeliveryOptions({ ...endless, describeFailure, keyNotSent: '' })).toMatchObject(
    endless,
  );
});
