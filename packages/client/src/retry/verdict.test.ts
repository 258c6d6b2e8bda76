import { type ErrorCode, errorCodes, IdempotencyError } from '@onceward/core';
import { describe, expect, test } from 'vitest';
import type { Failure } from '../failure.ts';
import { judge } from './verdict.ts';

const codes = Object.keys(errorCodes) as ErrorCode[];

describe('a code of the table', () => {
  const verdicts: Record<ErrorCode, object> = {
    IDEMPOTENCY_KEY_MISSING: { kind: 'configuration-error', why: 'key-not-received' },
    IDEMPOTENCY_KEY_INVALID: { kind: 'give-up', why: 'refused' },
    IDEMPOTENCY_KEY_FUTURE: { kind: 'give-up', why: 'refused' },
    IDEMPOTENCY_MULTIPLE_FIELDS: { kind: 'give-up', why: 'refused' },
    IDEMPOTENCY_INPUT_INVALID: { kind: 'give-up', why: 'refused' },
    IDEMPOTENCY_IN_PROGRESS: { kind: 'retry', why: 'in-progress', pace: 'soon' },
    IDEMPOTENCY_OUTCOME_UNKNOWN: { kind: 'retry', why: 'outcome-unknown', pace: 'poll' },
    IDEMPOTENCY_KEY_EXPIRED: { kind: 'give-up', why: 'unresolved' },
    IDEMPOTENCY_RESPONSE_UNAVAILABLE: { kind: 'give-up', why: 'executed' },
    IDEMPOTENCY_KEY_REUSED: { kind: 'give-up', why: 'refused' },
    IDEMPOTENCY_QUOTA_EXCEEDED: { kind: 'retry', why: 'refused-for-now', pace: 'backoff' },
    IDEMPOTENCY_STORE_UNAVAILABLE: { kind: 'retry', why: 'refused-for-now', pace: 'backoff' },
  };

  test.each(codes)('%s has its verdict', (code) => {
    expect(judge(coded(code), 'delivered')).toEqual(verdicts[code]);
  });

  test.each(codes)('%s is retried only if its advice allows it', (code) => {
    const retried = judge(coded(code), 'delivered').kind === 'retry';
    expect(retried).toBe(errorCodes[code].retry !== 'never');
  });

  test('that only a newer server knows is retried as that server advises', () => {
    const advised = (retry: string) =>
      ({ kind: 'idempotency', error: { code: 'IDEMPOTENCY_NEW', retry, details: {} } }) as never;
    expect(judge(advised('same-key'), 'delivered')).toMatchObject({ kind: 'retry' });
    expect(judge(advised('poll'), 'delivered')).toMatchObject({ kind: 'retry', pace: 'poll' });
    expect(judge(advised('never'), 'delivered')).toEqual({ kind: 'give-up', why: 'refused' });
    expect(judge(advised('new-advice'), 'delivered')).toEqual({ kind: 'give-up', why: 'refused' });
  });

  test.each(['constructor', '__proto__', 'toString'])('called %s is a refusal', (code) => {
    const error = { code, retry: 'never', message: '', details: {} } as never;
    const verdict = judge({ kind: 'idempotency', error }, 'delivered');
    expect(verdict).toEqual({ kind: 'give-up', why: 'refused' });
  });
});

describe('an HTTP status without a code', () => {
  test.each([408, 425, 429, 500, 502, 503, 504, 511, 529, 599])('%i is retried', (status) => {
    const verdict = judge({ kind: 'http', status }, 'delivered');
    expect(verdict).toEqual({ kind: 'retry', why: 'http', pace: 'backoff' });
  });

  test.each([200, 204, 302])('%i is retried: it is no answer of ours', (status) => {
    expect(judge({ kind: 'http', status }, 'delivered')).toMatchObject({ kind: 'retry' });
  });

  test.each([400, 402, 403, 404, 405, 409, 410, 413, 418, 422, 423, 426, 428, 431, 451])(
    '%i is an answer',
    (status) => {
      const verdict = judge({ kind: 'http', status }, 'delivered');
      expect(verdict).toEqual({ kind: 'give-up', why: 'answered' });
    },
  );

  test('401 is told apart, because the same key may follow a sign-in', () => {
    const verdict = judge({ kind: 'http', status: 401 }, 'delivered');
    expect(verdict).toEqual({ kind: 'give-up', why: 'unauthorized' });
  });
});

test.each(['network', 'timeout', 'no-answer'] as const)('%s is retried', (kind) => {
  expect(judge({ kind }, 'delivered')).toEqual({ kind: 'retry', why: kind, pace: 'backoff' });
});

test.each(['answered', 'aborted'] as const)('%s is final, whatever became of the key', (kind) => {
  for (const key of ['delivered', 'not-delivered', 'none'] as const) {
    expect(judge({ kind }, key)).toEqual({ kind: 'give-up', why: kind });
  }
});

const retriable: Failure[] = [
  { kind: 'network' },
  { kind: 'timeout' },
  { kind: 'no-answer' },
  { kind: 'http', status: 503 },
  ...codes.filter((code) => errorCodes[code].retry !== 'never').map(coded),
];

describe.each(retriable)(
  'a failure that could be retried: $kind $status $error.code',
  (failure) => {
    test('is not retried without a key', () => {
      expect(judge(failure, 'none')).toEqual({ kind: 'give-up', why: 'no-key' });
    });

    test('is a mistake in the configuration when the key was not put on the request', () => {
      const verdict = judge(failure, 'not-delivered');
      expect(verdict).toEqual({ kind: 'configuration-error', why: 'key-not-sent' });
    });
  },
);

test('an answer stays an answer when the key was not put on the request', () => {
  const verdict = judge({ kind: 'http', status: 403 }, 'not-delivered');
  expect(verdict).toEqual({ kind: 'give-up', why: 'answered' });
});

test('a server that misses the key tells who lost it', () => {
  const missing = coded('IDEMPOTENCY_KEY_MISSING');
  expect(judge(missing, 'not-delivered')).toMatchObject({ why: 'key-not-sent' });
  expect(judge(missing, 'delivered')).toMatchObject({ why: 'key-not-received' });
  expect(judge(missing, 'none')).toEqual({ kind: 'give-up', why: 'refused' });
});

function coded(code: ErrorCode): Failure {
  return { kind: 'idempotency', error: new IdempotencyError(code, {} as never).toJSON() };
}
