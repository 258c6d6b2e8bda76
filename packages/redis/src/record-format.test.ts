import { again, newRequest, opaqueRequest, success } from '@onceward/conformance/requests';
import type { IdempotencyKey } from '@onceward/core';
import { expect, test } from 'vitest';
import { openStore } from '../test/open-store.ts';
import { packFirstAttempt, unpackRecord } from './record-format.ts';
import { recordKey } from './record-key.ts';

test('the bytes of format 1 never change', () => {
  const request = newRequest({
    scope: 'tenant',
    key: '0197a3b1-0c2d-7f3e-8c4d-0c0c07398f12' as IdempotencyKey,
    fingerprint: { version: 258, digest: new Uint8Array(32).fill(0xaa) },
    token: '0123456789abcdef0123456789abcdef',
    leaseMs: 1,
    onStaleLease: 'unknown',
    keyRetentionMs: Infinity,
  });
  const parts = [
    '01' + '69' + '75' + '00000001', // format, in progress, policy unknown, attempt
    '7ff0000000000000' + '3ff0000000000000', // keep: Infinity, lease: 1
    '0102' + 'aa'.repeat(32) + '0123456789abcdef0123456789abcdef',
    '0067' + '00' + '0197a3b10c2d7f3e8c4d0c0c07398f12', // head length, UUID
    '0006' + '74656e616e74' + '706179', // tenant, pay
  ];
  expect(packFirstAttempt(request).toString('hex')).toBe(parts.join(''));
});

test('a record is read as it was written, with a UUID or an opaque key', () => {
  for (const request of [newRequest({ operation: 'überweisen' }), opaqueRequest()]) {
    const { leaseMs: moment, fingerprint, token, operation, onStaleLease } = request;
    const read = unpackRecord(packFirstAttempt(request));
    expect(read).toMatchObject({ status: 'i', attempt: 1, moment, token, operation, onStaleLease });
    expect(read.fingerprint.version).toBe(fingerprint.version);
    expect([...read.fingerprint.digest]).toEqual([...fingerprint.digest]);
    expect(read.body).toHaveLength(0);
  }
});

test.each([
  ['`fingerprint.digest`', { fingerprint: { version: 1, digest: new Uint8Array(31) } }],
  ['`token`', { token: 'not a token' }],
  ['`token`', { token: '0123456789ABCDEF0123456789abcdef' }],
  ['`leaseMs`', { leaseMs: Number.NaN }],
  ['`keyRetentionMs`', { keyRetentionMs: -1 }],
  ['`key`', { key: 'not-a-uuid-but-has-a-time' as IdempotencyKey }],
  ['`scope`', { scope: 'x'.repeat(70_000) }],
])('a request with an impossible %s is a TypeError that names it', (named, mistake) => {
  const packing = () => packFirstAttempt({ ...newRequest(), ...mistake });
  expect(packing).toThrow(TypeError);
  expect(packing).toThrow(named);
});

test('a record of a format from the future is neither read, executed nor overwritten', async () => {
  await using opened = await openStore();
  const { store, redis, prefix } = opened;
  const request = newRequest();
  await store.reserve(request);
  const key = recordKey(request, prefix);
  await redis.setrange(key, 0, '\u0002');
  const before = await redis.getBuffer(key);

  const calls = [
    () => store.reserve(again(request)),
    () => store.peek(again(request)),
    () => store.renew(request, 1_000),
    () => store.saveProgress(request, new Uint8Array(1)),
    () => store.complete(request, success()),
    () => store.release(request),
    () => store.doubt(request),
    () => store.find(request),
    () => store.settle(request, { kind: 'not-executed', quietMs: 0 }),
  ];
  for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'RECORDFORMAT' });
  expect(await redis.getBuffer(key)).toEqual(before);
});

test('an answer in a format from the future is not replayed', async () => {
  await using opened = await openStore();
  const request = newRequest();
  await opened.store.reserve(request);
  await opened.store.complete(request, success());
  await opened.redis.setrange(recordKey(request, opened.prefix), 0, '\u0002');
  const replaying = opened.store.reserve(again(request));
  await expect(replaying).rejects.toMatchObject({ code: 'RECORDFORMAT' });
});

test('something else under a record’s name is an error, and is left alone', async () => {
  await using opened = await openStore();
  const request = newRequest();
  const key = recordKey(request, opened.prefix);
  await opened.redis.rpush(key, 'a list');
  await expect(opened.store.reserve(request)).rejects.toMatchObject({ code: 'WRONGTYPE' });
  await opened.redis.del(key);
  await opened.redis.set(key, 'text');
  await expect(opened.store.reserve(request)).rejects.toMatchObject({ code: 'RECORDFORMAT' });
  expect(await opened.redis.get(key)).toBe('text');
});
