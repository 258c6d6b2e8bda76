import { afterEach, describe, expect, expectTypeOf, test, vi } from 'vitest';
import { type ErrorCode, errorCodes } from './codes.ts';
import type { ErrorDetails } from './details.ts';
import { type AnyIdempotencyError, IdempotencyError, type WireError } from './idempotency-error.ts';

const examples: ErrorDetails = {
  IDEMPOTENCY_KEY_MISSING: { operation: 'pay' },
  IDEMPOTENCY_KEY_INVALID: { problem: 'several-headers' },
  IDEMPOTENCY_KEY_FUTURE: { serverTimeMs: 1_780_315_200_000, retryAfterMs: 60_000 },
  IDEMPOTENCY_MULTIPLE_FIELDS: { fields: ['pay', 'refund'] },
  IDEMPOTENCY_INPUT_INVALID: { problem: 'unsafe-integer' },
  IDEMPOTENCY_IN_PROGRESS: { retryAfterMs: 1_500 },
  IDEMPOTENCY_OUTCOME_UNKNOWN: { retryAfterMs: 60_000 },
  IDEMPOTENCY_KEY_EXPIRED: { keyRetentionMs: 604_800_000 },
  IDEMPOTENCY_RESPONSE_UNAVAILABLE: { reason: 'too-large' },
  IDEMPOTENCY_KEY_REUSED: { operation: 'pay' },
  IDEMPOTENCY_QUOTA_EXCEEDED: { retryAfterMs: 0 },
  IDEMPOTENCY_STORE_UNAVAILABLE: { retryAfterMs: 1_000 },
};
const codes = Object.keys(errorCodes) as ErrorCode[];

afterEach(() => {
  vi.resetModules();
});

describe.each(codes)('%s', (code) => {
  const error = new IdempotencyError(code, examples[code]);

  test('has the status and the advice of the table', () => {
    expect(error).toMatchObject({ name: 'IdempotencyError', code, ...errorCodes[code] });
  });

  test('says in one or two sentences what happened or what to do', () => {
    expect(error.message).toMatch(/^[A-Z].{30,}\.$/);
  });

  test('survives the wire', () => {
    const rebuilt = IdempotencyError.fromJSON(JSON.parse(JSON.stringify(error)));

    expect(rebuilt).toEqual(error);
    expect(rebuilt?.toJSON()).toEqual(error.toJSON());
    expect(IdempotencyError.is(rebuilt)).toBe(true);
  });
});

describe('what crosses the wire', () => {
  test('is code, message, advice and details: no stack, no cause, no status', () => {
    const cause = new Error('password=hunter2');
    const error = new IdempotencyError(
      'IDEMPOTENCY_STORE_UNAVAILABLE',
      { retryAfterMs: 5 },
      { cause },
    );

    expect(Object.keys(error.toJSON())).toEqual(['code', 'message', 'retry', 'details']);
    expect(JSON.stringify(error)).not.toContain('hunter2');
    expect(error.message).not.toContain('hunter2');
    expect(error.cause).toBe(cause);
  });

  test('a message of the situation replaces the one of the table', () => {
    const message = 'Send the amount as a string.';
    const error = new IdempotencyError(
      'IDEMPOTENCY_INPUT_INVALID',
      { problem: 'unsafe-integer' },
      { message },
    );

    expect(error.toJSON().message).toBe(message);
    expect(IdempotencyError.fromJSON(error.toJSON())?.message).toBe(message);
  });

  test('a message that is not a string is replaced by the one of the table', () => {
    const wire = { code: 'IDEMPOTENCY_KEY_REUSED', message: { a: 1 }, details: {} };

    expect(IdempotencyError.fromJSON(wire)?.message).toMatch(/^The key was already used/);
  });

  test('advice from the wire does not overrule the table', () => {
    const wire = { code: 'IDEMPOTENCY_KEY_REUSED', message: '', retry: 'same-key', details: {} };

    expect(IdempotencyError.fromJSON(wire)?.retry).toBe('never');
  });

  test.each([
    ['nothing', undefined],
    ['null', null],
    ['a string', 'IDEMPOTENCY_KEY_MISSING'],
    ['a number', 42],
    ['a list', []],
    ['an empty object', {}],
    ['a code of a later version', { code: 'IDEMPOTENCY_TELEPATHY', message: '', details: {} }],
    ['no details', { code: 'IDEMPOTENCY_KEY_MISSING', message: '' }],
    ['details that are null', { code: 'IDEMPOTENCY_KEY_MISSING', message: '', details: null }],
    ['details that are a list', { code: 'IDEMPOTENCY_KEY_MISSING', message: '', details: [] }],
    ['details that are a string', { code: 'IDEMPOTENCY_KEY_MISSING', message: '', details: 'pay' }],
    ['a code that is a list', { code: ['IDEMPOTENCY_KEY_MISSING'], message: '', details: {} }],
    ['constructor for a code', { code: 'constructor', message: '', details: {} }],
    ['toString for a code', { code: 'toString', message: '', details: {} }],
    ['hasOwnProperty for a code', { code: 'hasOwnProperty', message: '', details: {} }],
    ['__proto__ for a code', { code: '__proto__', message: '', details: {} }],
  ])('%s is not an error', (_, value) => {
    expect(IdempotencyError.fromJSON(value)).toBeUndefined();
  });

  test('a __proto__ member neither makes an error nor pollutes anything', () => {
    const wire = '{"__proto__":{"code":"IDEMPOTENCY_KEY_MISSING","details":{},"polluted":true}}';
    const nested = '{"code":"IDEMPOTENCY_KEY_MISSING","details":{"__proto__":{"polluted":true}}}';

    expect(IdempotencyError.fromJSON(JSON.parse(wire))).toBeUndefined();
    expect(IdempotencyError.fromJSON(JSON.parse(nested))).not.toHaveProperty('polluted');
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe('how long to wait', () => {
  test('is what the details say', () => {
    const error = new IdempotencyError('IDEMPOTENCY_IN_PROGRESS', { retryAfterMs: 1_500 });

    expect(error.retryAfterMs).toBe(1_500);
  });

  test('is undefined for a code that has no such detail', () => {
    const error = new IdempotencyError('IDEMPOTENCY_KEY_REUSED', { operation: 'pay' });

    expect(error.retryAfterMs).toBeUndefined();
  });

  test.each(['"soon"', '-1', '1e400', 'null', '{}'])('is undefined when the wire says %s', (ms) => {
    const wire = `{"code":"IDEMPOTENCY_IN_PROGRESS","message":"","details":{"retryAfterMs":${ms}}}`;

    expect(IdempotencyError.fromJSON(JSON.parse(wire))?.retryAfterMs).toBeUndefined();
  });
});

describe('recognising an error', () => {
  test('works across two copies of this package, where instanceof does not', async () => {
    vi.resetModules();
    const copy = await import('./idempotency-error.ts');
    const error = new copy.IdempotencyError('IDEMPOTENCY_KEY_MISSING', { operation: 'pay' });

    expect(error).not.toBeInstanceOf(IdempotencyError);
    expect(IdempotencyError.is(error)).toBe(true);
  });

  test.each([
    ['another error', new Error('IDEMPOTENCY_KEY_MISSING')],
    ['its JSON', new IdempotencyError('IDEMPOTENCY_KEY_MISSING', { operation: 'pay' }).toJSON()],
    ['null', null],
    ['undefined', undefined],
    ['a string', 'IdempotencyError'],
  ])('does not take %s for one', (_, value) => {
    expect(IdempotencyError.is(value)).toBe(false);
  });

  test('it is an Error with a stack that starts where it was made', () => {
    const error = new IdempotencyError('IDEMPOTENCY_KEY_MISSING', { operation: 'pay' });

    expect(error).toBeInstanceOf(Error);
    expect(error.stack).toContain('idempotency-error.test.ts');
  });

  test('the brand does not show when an error is printed or copied', () => {
    const error = new IdempotencyError('IDEMPOTENCY_KEY_MISSING', { operation: 'pay' });

    expect(Object.getOwnPropertySymbols({ ...error })).toEqual([]);
  });
});

describe('options', () => {
  test('a profile may answer with another status than the table', () => {
    const details = { operation: 'pay' };
    const error = new IdempotencyError('IDEMPOTENCY_KEY_REUSED', details, { httpStatus: 400 });

    expect(error.httpStatus).toBe(400);
  });

  test('without a cause there is no cause property', () => {
    const error = new IdempotencyError('IDEMPOTENCY_KEY_MISSING', { operation: 'pay' });

    expect('cause' in error).toBe(false);
  });
});

describe('types', () => {
  test('a switch over the code narrows the details', () => {
    const read = (error: AnyIdempotencyError | WireError) => {
      switch (error.code) {
        case 'IDEMPOTENCY_IN_PROGRESS':
          expectTypeOf(error.details).toEqualTypeOf<{ retryAfterMs: number }>();
          return error.details.retryAfterMs;
        case 'IDEMPOTENCY_KEY_REUSED':
          expectTypeOf(error.details).toEqualTypeOf<{ operation: string }>();
          return error.details.operation;
        default:
          return undefined;
      }
    };
    const inProgress = IdempotencyError.fromJSON({
      code: 'IDEMPOTENCY_IN_PROGRESS',
      details: { retryAfterMs: 7 },
    });

    expect(inProgress && read(inProgress)).toBe(7);
  });

  test('every code has details, and the constructor asks for them', () => {
    type Details = ConstructorParameters<typeof IdempotencyError<'IDEMPOTENCY_KEY_FUTURE'>>[1];

    expectTypeOf<keyof ErrorDetails>().toEqualTypeOf<ErrorCode>();
    expectTypeOf<Details>().toEqualTypeOf<{ serverTimeMs: number; retryAfterMs: number }>();
    expectTypeOf<WireError['code']>().toEqualTypeOf<ErrorCode>();
  });

  test('recognising an unknown value gives the union', () => {
    const value: unknown = new IdempotencyError('IDEMPOTENCY_KEY_MISSING', { operation: 'pay' });
    if (!IdempotencyError.is(value)) throw new TypeError('unreachable');

    expectTypeOf(value).toEqualTypeOf<AnyIdempotencyError>();
  });
});
