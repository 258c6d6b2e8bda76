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

test('the key of a scope is derived once for many fingerprints', async () => {
  const fingerprinter = createFingerprinter();
  for (let cents = 0; cents < 50; cents++) await fingerprint(fingerprinter, 'alice', cents);
  await fingerprint(fingerprinter, 'bob', 1);
  expect(derived).toHaveBeenCalledTimes(2);
});

test('keys of a thousand scopes are remembered, and never more', async () => {
  const fingerprinter = createFingerprinter();
  const visit = async (scopes: number) => {
    derived.mockClear();
    for (let scope = 0; scope < scopes; scope++)
      await fingerprint(fingerprinter, `user-${scope}`, 1);
    return derived.mock.calls.length;
  };
  expect(await visit(1_000)).toBe(1_000);
  expect(await visit(1_000)).toBe(0);
  await visit(2_000);
  // At least those for whom there was no room.
  expect(await visit(2_000)).toBeGreaterThanOrEqual(1_000);
});

test('a key that was forgotten is derived again as it was', async () => {
  const fingerprinter = createFingerprinter();
  const before = await fingerprint(fingerprinter, 'alice', 1);
  for (let scope = 0; scope < 1_000; scope++) await fingerprint(fingerprinter, `user-${scope}`, 1);
  derived.mockClear();
  expect(await fingerprint(fingerprinter, 'alice', 1)).toEqual(before);
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
