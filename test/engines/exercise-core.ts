import {
  createKeyMinter,
  formatKeyHeader,
  IdempotencyError,
  type IdempotencyKey,
  keyTimestamp,
  type KeyMinterOptions,
  parseKey,
  parseKeyHeader,
} from '@onceward/core';

/** Uses every part of core that does something, and reports what came out as plain JSON. */
export function exerciseCore(platform: KeyMinterOptions = {}) {
  const mint = createKeyMinter(platform);
  const keys: IdempotencyKey[] = [];
  for (let count = 0; count < 1000; count++) keys.push(mint());
  const [first] = keys as [IdempotencyKey];

  return {
    keys: {
      distinct: new Set(keys).size,
      inOrder: keys.every((key, index) => index === 0 || key > (keys[index - 1] ?? '')),
      allParse: keys.every((key) => parseKey(key).kind === 'key'),
      first,
      firstMintedAt: keyTimestamp(first),
    },
    header: {
      formatted: formatKeyHeader(first),
      quoted: parseKeyHeader(formatKeyHeader(first), { syntax: 'strict' }),
      bare: parseKeyHeader(first, { syntax: 'lenient' }),
      bareWhenStrict: parseKeyHeader(first, { syntax: 'strict' }),
      twice: parseKeyHeader([first, first]),
      absent: parseKeyHeader(undefined),
      unterminated: parseKeyHeader(`"${first}`),
    },
    error: roundTrip(),
  };
}

function roundTrip() {
  const cause = new Error('never leaves the process');
  const sent = new IdempotencyError(
    'IDEMPOTENCY_IN_PROGRESS',
    { retryAfterMs: 1_500 },
    { cause, message: 'Try again' },
  );
  const wire = JSON.stringify(sent);
  const received = IdempotencyError.fromJSON(JSON.parse(wire));
  return {
    wire: JSON.parse(wire) as unknown,
    isError: received instanceof Error,
    isOurs: IdempotencyError.is(received),
    retry: received?.retry,
    retryAfterMs: received?.retryAfterMs,
    httpStatus: received?.httpStatus,
    strangersAreRefused: IdempotencyError.fromJSON({ code: 'toString', details: {} }) === undefined,
  };
}
