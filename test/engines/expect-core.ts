import { expect } from 'vitest';

/** What `exerciseCore` reports in every engine; only the first key and its time differ. */
export function expectCore(report: unknown): { first: string; firstMintedAt: number } {
  const { keys } = report as { keys: { first: string; firstMintedAt: number } };
  const { first, firstMintedAt } = keys;
  expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(report).toEqual({
    keys: { distinct: 1000, inOrder: true, allParse: true, first, firstMintedAt },
    header: {
      formatted: `"${first}"`,
      quoted: { kind: 'key', key: first },
      bare: { kind: 'key', key: first },
      bareWhenStrict: { kind: 'invalid', problem: 'malformed' },
      twice: { kind: 'invalid', problem: 'several-headers' },
      absent: { kind: 'absent' },
      unterminated: { kind: 'invalid', problem: 'malformed' },
    },
    error: {
      wire: {
        code: 'IDEMPOTENCY_IN_PROGRESS',
        message: 'Try again',
        retry: 'same-key',
        details: { retryAfterMs: 1_500 },
      },
      isError: true,
      isOurs: true,
      retry: 'same-key',
      retryAfterMs: 1_500,
      httpStatus: 409,
      strangersAreRefused: true,
    },
  });
  return keys;
}
