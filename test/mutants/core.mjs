const mint = 'packages/core/src/keys/mint-key.ts';
const key = 'packages/core/src/keys/idempotency-key.ts';
const header = 'packages/core/src/header/key-header.ts';
const error = 'packages/core/src/errors/idempotency-error.ts';
const codes = 'packages/core/src/errors/codes.ts';
const keys = ['packages/core/src/keys/'];
const headers = ['packages/core/src/header/'];
const errors = ['packages/core/src/errors/'];

/** @type {import('./runner/mutants.mjs').Mutant[]} */
export const mutants = [
  {
    name: 'keys of one millisecond are not in order',
    file: mint,
    find: '      counter += 1;',
    replace: '      counter = randomCounter(bytes);',
    tests: keys,
  },
  {
    name: 'the counter wraps around within its millisecond',
    file: mint,
    find: 'lastMs = wholeMilliseconds(lastMs + 1);',
    replace: 'lastMs = wholeMilliseconds(lastMs);',
    tests: keys,
  },
  {
    name: 'a clock that steps back a little takes the order of keys with it',
    file: mint,
    find: 'const largestStepBackMs = 300_000;',
    replace: 'const largestStepBackMs = 0;',
    tests: keys,
  },
  {
    name: 'a clock that is put right is not followed',
    file: mint,
    find: 'if (nowMs > lastMs || nowMs < lastMs - largestStepBackMs) {',
    replace: 'if (nowMs > lastMs) {',
    tests: keys,
  },
  {
    name: 'a clock that says NaN is accepted',
    file: mint,
    find: 'if (whole >= 0 && whole <= 0xffff_ffff_ffff) return whole;',
    replace: 'if (!(whole < 0 || whole > 0xffff_ffff_ffff)) return whole;',
    tests: keys,
  },
  {
    name: 'too few random bytes make a short key',
    file: mint,
    find: 'if (bytes.length === 16) return bytes;',
    replace: 'if (bytes.length > 8) return bytes;',
    tests: keys,
  },
  {
    name: 'the variant of a key is left to chance',
    file: mint,
    find: '[0x80 | (first & 0x3f), ...rest]',
    replace: '[first, ...rest]',
    tests: keys,
  },
  {
    name: 'a key in capitals is another key',
    file: key,
    find: 'key: folded as IdempotencyKey',
    replace: 'key: text as IdempotencyKey',
    tests: keys,
  },
  {
    name: 'any version of UUID is a key',
    file: key,
    find: 'if (index === 14 && digit !== 7) return undefined;',
    replace: '',
    tests: keys,
  },
  {
    name: 'an opaque key may contain control characters and bytes from 0x80',
    file: key,
    find: '/^[\\x21-\\x7e]+$/',
    replace: '/^[^ ]+$/',
    tests: keys,
  },
  {
    name: 'two header lines are accepted when they are equal',
    file: header,
    find: 'if (values.length > 1) return',
    replace: 'if (new Set(values).size > 1) return',
    tests: headers,
  },
  {
    name: 'a broken String is read as a bare key',
    file: header,
    find: "  } catch {\n    return { kind: 'invalid', problem: 'malformed' };",
    replace: '  } catch {\n    return parseKey(value, format);',
    tests: headers,
  },
  {
    name: 'strict syntax accepts a bare key',
    file: header,
    find: "return syntax === 'strict' || value.includes(',')",
    replace: "return value.includes(',')",
    tests: headers,
  },
  {
    name: 'two bare keys joined by a comma are one key',
    file: header,
    find: "return syntax === 'strict' || value.includes(',')",
    replace: "return syntax === 'strict'",
    tests: headers,
  },
  {
    name: 'a formatted key does not escape its backslashes',
    file: header,
    find: 'key.replace(/["\\\\]/g',
    replace: 'key.replace(/["]/g',
    tests: headers,
  },
  {
    name: 'the cause of an error goes over the wire',
    file: error,
    find: 'return { code, message, retry, details } as WireError;',
    replace: 'return { code, message, retry, details, cause: String(this.cause) } as WireError;',
    tests: errors,
  },
  {
    name: 'an error of another copy of the package is not recognised',
    file: error,
    find: "const brand = Symbol.for('@onceward/core.IdempotencyError');",
    replace: "const brand = Symbol('@onceward/core.IdempotencyError');",
    tests: errors,
  },
  {
    name: 'constructor and toString are error codes',
    file: codes,
    find: 'Object.hasOwn(errorCodes, value)',
    replace: 'value in errorCodes',
    tests: errors,
  },
  {
    name: 'an unknown outcome is retried like one in progress',
    file: codes,
    find: "IDEMPOTENCY_OUTCOME_UNKNOWN: { httpStatus: 409, retry: 'poll' }",
    replace: "IDEMPOTENCY_OUTCOME_UNKNOWN: { httpStatus: 409, retry: 'same-key' }",
    tests: errors,
  },
  {
    name: 'an infinite wait from the wire is believed',
    file: error,
    find: 'retryAfterMs >= 0 && Number.isFinite(retryAfterMs)',
    replace: 'retryAfterMs >= 0',
    tests: errors,
  },
  {
    name: 'any variant of UUID is a key',
    file: key,
    find: 'if (index === 19 && digit >> 2 !== 0b10) return undefined;',
    replace: '',
    tests: keys,
  },
  {
    name: 'a key in capitals has no time',
    file: key,
    find: ' ?? uuidV7Time(key.toLowerCase())',
    replace: '',
    tests: keys,
  },
  {
    name: 'the time of a key is that of the one before',
    file: key,
    find: 'text === lastText ? lastTime : readTime(text)',
    replace: 'lastTime ?? readTime(text)',
    tests: keys,
  },
];
