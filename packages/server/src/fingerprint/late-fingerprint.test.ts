import { expect, test } from 'vitest';
import { HmacKey } from './hmac-key.ts';
import { LateFingerprint } from './late-fingerprint.ts';

const key = new HmacKey(Buffer.from('a key of thirty-two bytes, or so'));

test('a digest is taken when somebody asks for it, and once', () => {
  const taken: string[] = [];
  const counting = { digest: (text: string) => (taken.push(text), key.digest(text)) } as HmacKey;
  const fingerprint = new LateFingerprint(128, counting, 'text');
  expect([fingerprint.version, taken]).toEqual([128, []]);
  const expected = Buffer.from(key.digest('text'), 'latin1');
  expect(fingerprint.digest).toEqual(expected);
  expect(fingerprint.digest).toEqual(expected);
  expect(taken).toEqual(['text']);
});

test('whoever gets a digest may change it', () => {
  const fingerprint = new LateFingerprint(128, key, 'text');
  const { digest } = fingerprint;
  digest.fill(0);
  expect(fingerprint.digest).not.toEqual(digest);
});

test('as text it has a character for each byte, whoever made the fingerprint', () => {
  const late = new LateFingerprint(128, key, 'text');
  const text = LateFingerprint.digestText(late);
  expect(text).toHaveLength(32);
  expect(LateFingerprint.digestText({ version: 128, digest: late.digest })).toBe(text);
});
