import { expect, test } from 'vitest';
import { corsHeaders, headerNames } from './names.ts';

test('every request header can be allowed, and every response header exposed, to other origins', () => {
  const { key, trpcKeys, replayed, expires, retryAfter } = headerNames;

  expect(corsHeaders.allow).toEqual([key, trpcKeys]);
  expect(corsHeaders.expose).toEqual(expect.arrayContaining([replayed, expires, retryAfter]));
});

test('a client on another origin may read Date, without which it cannot correct its clock', () => {
  expect(corsHeaders.expose).toContain('Date');
});
