import { expect, test } from 'vitest';
import { keysFromText } from './keys-from-text.ts';

const uuid = '0197f000-0000-7000-8000-00000000000a';

test('a UUID v7 is one key, however it is written', () => {
  expect(keysFromText(uuid)).toEqual([uuid]);
});

test('one in capitals may also be an opaque key', () => {
  expect(keysFromText(uuid.toUpperCase())).toEqual([uuid, uuid.toUpperCase()]);
});

test('what is no UUID v7 is an opaque key, or none', () => {
  expect(keysFromText('order-0000000000000007')).toEqual(['order-0000000000000007']);
  expect(keysFromText('short')).toEqual([]);
});
