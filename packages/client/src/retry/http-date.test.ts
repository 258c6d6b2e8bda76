import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseHttpDate } from './http-date.ts';

const nowMs = Date.UTC(2026, 0, 1);

test.each([
  ['the current form', 'Sun, 06 Nov 1994 08:49:37 GMT'],
  ['the form of RFC 850', 'Sunday, 06-Nov-94 08:49:37 GMT'],
  ['the form of asctime', 'Sun Nov  6 08:49:37 1994'],
])('%s is read', (_, text) => {
  expect(parseHttpDate(text, nowMs)).toBe(Date.UTC(1994, 10, 6, 8, 49, 37));
});

test('two digits of a year are at most fifty years ahead', () => {
  const yearOf = (text: string) => new Date(parseHttpDate(text, nowMs) ?? NaN).getUTCFullYear();
  expect(yearOf('Friday, 01-Jan-27 00:00:00 GMT')).toBe(2027);
  expect(yearOf('Wednesday, 01-Jan-76 00:00:00 GMT')).toBe(2076);
  expect(yearOf('Saturday, 01-Jan-77 00:00:00 GMT')).toBe(1977);
});

test.each([
  '',
  'tomorrow',
  '1994-11-06T08:49:37Z',
  'Sun, 06 Nov 1994 08:49:37',
  'Sun, 06 Nov 1994 08:49:37 CET',
  'Sun, 06 Nov 1994 08:49:37 +0100',
  'Sun, 06 Foo 1994 08:49:37 GMT',
  'Sun, 06 anF 1994 08:49:37 GMT',
  'Sun, 00 Nov 1994 08:49:37 GMT',
  'Sun, 32 Nov 1994 08:49:37 GMT',
  'Sun, 06 Nov 1994 25:49:37 GMT',
  'Sun, 06 Nov 1994 08:61:37 GMT',
  'Sun, 06 Nov 1994 ::::::::  GMT',
  'Sun, 6 Nov 1994 08:49:37 GMT',
  'Sun Nov 6 08:49:37 1994 GMT',
])('%j is no date', (text) => {
  expect(parseHttpDate(text, nowMs)).toBeUndefined();
});

test('every date that JavaScript writes for HTTP is read back', () => {
  const seconds = fc.integer({ min: 0, max: Date.UTC(9999, 11, 31) / 1_000 });
  fc.assert(
    fc.property(seconds, (second) => {
      expect(parseHttpDate(new Date(second * 1_000).toUTCString(), nowMs)).toBe(second * 1_000);
    }),
  );
});
