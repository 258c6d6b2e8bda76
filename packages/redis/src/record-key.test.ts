import { newRequest } from '@onceward/conformance/requests';
import type { IdempotencyKey } from '@onceward/core';
import { expect, test } from 'vitest';
import { recordKey } from './record-key.ts';

const name = {
  scope: 'tenant 42',
  key: '0197a3b1-0c2d-7f3e-8c4d-0c0c07398f12' as IdempotencyKey,
  keyTimestampMs: 0x0197a3b10c2d,
};

test('the name of a record never changes, or every key would be forgotten', () => {
  expect(recordKey(name, 'onceward:')).toBe('onceward:{UwhiBZbi6GDLTYdXOamx_w}');
});

test('a name is the prefix and 128 bits in a hash tag, and shows neither scope nor key', () => {
  expect(recordKey(newRequest(), 'app:')).toMatch(/^app:\{[A-Za-z0-9_-]{22}\}$/);
});

test('another scope, key or prefix is another name', () => {
  const names = [
    recordKey(name, 'onceward:'),
    recordKey(name, 'another:'),
    recordKey({ ...name, scope: 'tenant 43' }, 'onceward:'),
    recordKey({ ...name, key: name.key.replace('12', '13') as IdempotencyKey }, 'onceward:'),
  ];
  expect(new Set(names).size).toBe(names.length);
});

test('an opaque key that looks like a UUID v7 is another key', () => {
  const opaque = { ...name, keyTimestampMs: null };
  expect(recordKey(opaque, 'onceward:')).not.toBe(recordKey(name, 'onceward:'));
});
