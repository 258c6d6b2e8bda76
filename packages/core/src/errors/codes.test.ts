import { describe, expect, test } from 'vitest';
import { errorCodes, isErrorCode } from './codes.ts';

describe('the table of error codes', () => {
  // Written out, not computed: these names and numbers are what other people's code depends on.
  test('is the published one', () => {
    expect(errorCodes).toEqual({
      IDEMPOTENCY_KEY_MISSING: { httpStatus: 400, retry: 'never' },
      IDEMPOTENCY_KEY_INVALID: { httpStatus: 400, retry: 'never' },
      IDEMPOTENCY_KEY_FUTURE: { httpStatus: 400, retry: 'never' },
      IDEMPOTENCY_MULTIPLE_FIELDS: { httpStatus: 400, retry: 'never' },
      IDEMPOTENCY_INPUT_INVALID: { httpStatus: 400, retry: 'never' },
      IDEMPOTENCY_IN_PROGRESS: { httpStatus: 409, retry: 'same-key' },
      IDEMPOTENCY_OUTCOME_UNKNOWN: { httpStatus: 409, retry: 'poll' },
      IDEMPOTENCY_KEY_EXPIRED: { httpStatus: 410, retry: 'never' },
      IDEMPOTENCY_RESPONSE_UNAVAILABLE: { httpStatus: 410, retry: 'never' },
      IDEMPOTENCY_KEY_REUSED: { httpStatus: 422, retry: 'never' },
      IDEMPOTENCY_QUOTA_EXCEEDED: { httpStatus: 429, retry: 'same-key' },
      IDEMPOTENCY_STORE_UNAVAILABLE: { httpStatus: 503, retry: 'same-key' },
    });
  });

  test('knows its own names', () => {
    expect(Object.keys(errorCodes).every(isErrorCode)).toBe(true);
  });

  test.each([
    'constructor',
    'toString',
    'hasOwnProperty',
    '__proto__',
    'idempotency_key_missing',
    'IDEMPOTENCY_KEY_MISSING ',
    '',
    42,
    null,
    undefined,
    ['IDEMPOTENCY_KEY_MISSING'],
    { toString: () => 'IDEMPOTENCY_KEY_MISSING' },
  ])('does not know %j', (value) => {
    expect(isErrorCode(value)).toBe(false);
  });
});
