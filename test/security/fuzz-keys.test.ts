import {
  formatKeyHeader,
  IdempotencyError,
  mintKey,
  parseKey,
  parseKeyHeader,
} from '@onceward/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

const latin1 = fc.string({
  unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
});
const printable = fc.string({
  unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
});
/** A good header in which something was changed. */
const almost = fc
  .record({ at: fc.nat(37), cut: fc.nat(2), put: fc.oneof(latin1, printable) })
  .map(({ at, cut, put }) => {
    const good = formatKeyHeader(mintKey());
    return good.slice(0, at) + put + good.slice(at + cut);
  });
const headers = fc.oneof(fc.string({ unit: 'binary' }), latin1, printable, almost);

describe('whatever is sent as a key', () => {
  test('a header is a key, absent or invalid, and a key is one of the format', () => {
    fc.assert(
      fc.property(
        fc.oneof(headers, fc.array(headers, { maxLength: 3 })),
        fc.constantFrom('strict' as const, 'lenient' as const),
        fc.constantFrom('uuid-v7' as const, 'opaque' as const),
        (lines, syntax, format) => {
          const parsed = parseKeyHeader(lines, { syntax, format });
          expect(['key', 'absent', 'invalid']).toContain(parsed.kind);
          if (parsed.kind !== 'key') return;
          expect(parsed.key).toMatch(format === 'opaque' ? /^[!-~]{16,255}$/ : uuidV7);
          // What was accepted means itself when it is sent again.
          expect(parseKeyHeader(formatKeyHeader(parsed.key), { syntax, format })).toEqual(parsed);
        },
      ),
      { numRuns: 5_000 },
    );
  });

  test('a list is never one key, whatever is in it', () => {
    fc.assert(
      fc.property(headers, headers, (one, other) => {
        const parsed = parseKeyHeader(`${one}, ${other}`, { format: 'opaque' });
        // Unless the comma is inside one String.
        if (!one.trimStart().startsWith('"')) expect(parsed.kind).not.toBe('key');
      }),
    );
  });

  test('every opaque key survives the header, with its quotes and backslashes', () => {
    fc.assert(
      fc.property(printable, (text) => {
        const parsed = parseKey(text, 'opaque');
        if (parsed.kind === 'invalid') return;
        const sent = formatKeyHeader(parsed.key);
        expect(parseKeyHeader(sent, { format: 'opaque' })).toEqual(parsed);
      }),
    );
  });

  test('the longest header takes no time', () => {
    const hostile = [`"${'\\"'.repeat(500)}"`, `"a";${'a=1;'.repeat(200)}`, ' '.repeat(1_024)];
    const startedAt = performance.now();
    for (let round = 0; round < 200; round++) {
      for (const header of hostile) parseKeyHeader(header, { format: 'opaque' });
    }
    // A parser that backtracks takes minutes.
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});

test('whatever a server answers, a client reads a refusal of this version or none', () => {
  const members = fc.record(
    {
      code: fc.oneof(
        fc.constantFrom('IDEMPOTENCY_IN_PROGRESS', 'constructor', '__proto__', 'toString'),
        fc.anything(),
      ),
      message: fc.anything(),
      details: fc.oneof(fc.record({ retryAfterMs: fc.anything() }), fc.anything()),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(members, fc.anything()), (value) => {
      const error = IdempotencyError.fromJSON(value);
      if (!error) return;
      expect(error.code).toMatch(/^IDEMPOTENCY_/);
      expect(['never', 'same-key', 'poll']).toContain(error.retry);
      const { retryAfterMs } = error;
      if (retryAfterMs !== undefined) expect(retryAfterMs).toBeGreaterThanOrEqual(0);
      expect(typeof error.message).toBe('string');
    }),
    { numRuns: 2_000 },
  );
});

const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
