import type * as crypto from 'node:crypto';
import type { Fingerprint } from '@onceward/core/store';
import { beforeEach, expect, test, vi } from 'vitest';
import { createFingerprinter } from './fingerprint.ts';

const derived = vi.hoisted(() => vi.fn());
vi.mock('node:crypto', async (original) => {
  const real = await original<typeof crypto>();
  const createHmac: typeof real.createHmac = (...args) => {
    derived();
    return real.createHmac(...args);
  };
  return { ...real, createHmac };
});
beforeEach(() => derived.mockClear());

test('the key of a scope is derived once for many fingerprints', () => {
  const fingerprinter = createFingerprinter();
  for (let cents = 0; cents < 50; cents++) fingerprint(fingerprinter, 'alice', cents);
  fingerprint(fingerprinter, 'bob', 1);
  expect(derived).toHaveBeenCalledTimes(2);
});

test('keys of a thousand scopes are remembered, and never more', () => {
  const fingerprinter = createFingerprinter();
  const visit = (scopes: number) => {
    derived.mockClear();
    for (let scope = 0; scope < scopes; scope++) fingerprint(fingerprinter, `user-${scope}`, 1);
    return derived.mock.calls.length;
  };
  expect(visit(1_000)).toBe(1_000);
  expect(visit(1_000)).toBe(0);
  visit(2_000);
  // At least those for whom there was no room.
  expect(visit(2_000)).toBeGreaterThanOrEqual(1_000);
});

test('a key that was forgotten is derived again as it was', () => {
  const fingerprinter = createFingerprinter();
  const before = fingerprint(fingerprinter, 'alice', 1);
  for (let scope = 0; scope < 1_000; scope++) fingerprint(fingerprinter, `user-${scope}`, 1);
  derived.mockClear();
  expect(fingerprint(fingerprinter, 'alice', 1)).toEqual(before);
  expect(derived).toHaveBeenCalledTimes(1);
});

function fingerprint(
  fingerprinter: ReturnType<typeof createFingerprinter>,
  scope: string,
  cents: number,
) {
  // Of a small input, so no promise.
  return fingerprinter.of({ scope, operation: 'pay', input: { cents } }) as Fingerprint;
}
