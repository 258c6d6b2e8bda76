import * as uuid from 'uuid';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { keyTimestamp, parseKey } from './idempotency-key.ts';
import { createKeyMinter, mintKey } from './mint-key.ts';

const noon = Date.UTC(2026, 5, 1, 12);
const lastMs = 2 ** 48 - 1;

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('the layout of a minted key', () => {
  test('the uuid library reads it as a version 7 UUID of the RFC 9562 variant', () => {
    const key = mintKey();

    expect(uuid.validate(key)).toBe(true);
    expect(uuid.version(key)).toBe(7);
    expect(uuid.stringify(uuid.parse(key))).toBe(key);
    expect(uuid.parse(key)[8]! >> 6).toBe(0b10);
  });

  test('a minted key is a key to the parser, unchanged', () => {
    const key = mintKey();

    expect(parseKey(key)).toEqual({ kind: 'key', key });
  });

  test('the time and the random bits of the example in RFC 9562, A.6, give its UUID', () => {
    const mint = createKeyMinter({
      now: () => Date.UTC(2022, 1, 22, 19, 22, 22),
      random: filledWith('00 00 00 00 00 00 0c c3 98 c4 dc 0c 0c 07 39 8f'),
    });

    expect(mint()).toBe('017f22e2-79b0-7cc3-98c4-dc0c0c07398f');
  });

  test('the uuid library, given the same time and bytes, agrees on every bit but its sequence', () => {
    const random = Uint8Array.from({ length: 16 }, (_, index) => 0xa1 + 5 * index);
    const ours = uuid.parse(createKeyMinter({ now: () => noon, random: () => random })());
    const theirs = uuid.parse(uuid.v7({ msecs: noon, random }));

    expect(ours.subarray(0, 6)).toEqual(theirs.subarray(0, 6)); // unix_ts_ms
    expect(ours[6]! >> 4).toBe(theirs[6]! >> 4); // version
    expect(ours[8]! >> 6).toBe(theirs[8]! >> 6); // variant
    expect(ours.subarray(11)).toEqual(theirs.subarray(11)); // below the library's 32 bit sequence
  });

  test.each([0, 1, noon, lastMs - 1, lastMs])('a key minted at %d carries that time', (ms) => {
    expect(keyTimestamp(createKeyMinter({ now: () => ms })())).toBe(ms);
  });

  test('a fraction of a millisecond is dropped', () => {
    expect(keyTimestamp(createKeyMinter({ now: () => noon + 0.9 })())).toBe(noon);
  });
});

describe('the order of minted keys', () => {
  test('keys of one millisecond strictly increase', () => {
    const keys = mintMany(createKeyMinter({ now: () => noon }), 1_000);

    expectStrictlyIncreasing(keys);
  });

  test('a counter that overflows borrows the next millisecond, and keys still increase', () => {
    const mint = createKeyMinter({ now: () => noon, random: filledWith('ff'.repeat(16)) });
    const keys = mintMany(mint, 3);

    expect(keys.map(keyTimestamp)).toEqual([noon, noon + 1, noon + 2]);
    expectStrictlyIncreasing(keys);
  });

  test('keys still increase when the clock steps back five minutes', () => {
    let now = noon;
    const mint = createKeyMinter({ now: () => now });
    const before = mintMany(mint, 10);
    now -= 300_000;
    const after = mintMany(mint, 10);

    expectStrictlyIncreasing([...before, ...after]);
  });

  test('a clock that was far ahead and is put right takes effect on the next key', () => {
    // A server answers KEY_FUTURE with its own time. Counting on from the wrong time would make
    // every later key of this page as unwelcome as the first.
    let now = noon + 86_400_000;
    const mint = createKeyMinter({ now: () => now });
    mint();
    now = noon;

    expect(keyTimestamp(mint())).toBe(noon);
  });

  /** @see docs/decisions/0002-own-uuid-v7.md */
  test('keys increase with an injected clock and randomness, where those of uuid do not', () => {
    const descending = () => {
      let fill = 0xff;
      return () => new Uint8Array(16).fill((fill -= 0x11));
    };
    const rng = descending();
    const theirs = mintMany(() => uuid.v7({ msecs: noon, rng }), 5);
    const ours = mintMany(createKeyMinter({ now: () => noon, random: descending() }), 5);

    expect(theirs).not.toEqual([...theirs].sort());
    expectStrictlyIncreasing(ours);
  });

  test('the time moves on with the clock', () => {
    let now = noon;
    const mint = createKeyMinter({ now: () => now++ });

    expect(mintMany(mint, 3).map(keyTimestamp)).toEqual([noon, noon + 1, noon + 2]);
  });

  test('two minters do not share their counters', () => {
    const random = filledWith('00'.repeat(16));
    const first = createKeyMinter({ now: () => noon, random });
    const second = createKeyMinter({ now: () => noon, random });
    first();

    expect(second()).toBe('019e830e-1a00-7000-8000-000000000000');
  });
});

describe('the randomness of minted keys', () => {
  test('100,000 keys are distinct', () => {
    expect(new Set(mintMany(mintKey, 100_000)).size).toBe(100_000);
  });

  test('the 62 bits after the counter are new for every key, also within one millisecond', () => {
    const keys = mintMany(createKeyMinter({ now: () => noon }), 10_000);

    expect(new Set(keys.map((key) => key.slice(19))).size).toBe(10_000);
  });

  test('each of the 62 bits is sometimes set and sometimes not', () => {
    const keys = mintMany(createKeyMinter({ now: () => noon }), 500);
    const tails = keys.map((key) => BigInt(`0x${key.slice(19).replace('-', '')}`));
    const allBits = (1n << 62n) - 1n;
    const everSet = tails.reduce((bits, tail) => bits | tail, 0n) & allBits;
    const alwaysSet = tails.reduce((bits, tail) => bits & tail, allBits);

    expect(everSet).toBe(allBits);
    expect(alwaysSet).toBe(0n);
  });

  test('the counter starts at random in every millisecond', () => {
    let now = noon;
    const keys = mintMany(createKeyMinter({ now: () => now++ }), 200);

    expect(new Set(keys.map((key) => key.slice(15, 18))).size).toBeGreaterThan(100);
  });
});

describe('where time and randomness come from', () => {
  test('an injected clock and randomness need no global crypto', () => {
    vi.stubGlobal('crypto', undefined);
    const mint = createKeyMinter({ now: () => noon, random: filledWith('00'.repeat(16)) });

    expect(mint()).toBe('019e830e-1a00-7000-8000-000000000000');
  });

  test.each([undefined, {}])('without crypto (%o) the error names the option to pass', (crypto) => {
    vi.stubGlobal('crypto', crypto);

    expect(createKeyMinter()).toThrow(TypeError);
    expect(createKeyMinter()).toThrow('`random`');
  });

  test('crypto may appear after the minter was made, as polyfills do', () => {
    const { crypto } = globalThis;
    vi.stubGlobal('crypto', undefined);
    const mint = createKeyMinter();
    vi.stubGlobal('crypto', crypto);

    expect(uuid.version(mint())).toBe(7);
  });

  test('the clock of the process is read when a key is minted, so fake timers move it', () => {
    vi.useFakeTimers({ now: noon });
    vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array) => bytes.fill(7) });

    expect(keyTimestamp(createKeyMinter()())).toBe(noon);
  });

  test.each([Number.NaN, -1, -0.5, 2 ** 48, Infinity, -Infinity])(
    'a clock that says %d is refused',
    (ms) => {
      expect(createKeyMinter({ now: () => ms })).toThrow(/`now` to return milliseconds/);
    },
  );

  test('running ahead of the last millisecond there is, is refused, not wrapped', () => {
    const mint = createKeyMinter({ now: () => lastMs, random: filledWith('ff'.repeat(16)) });
    mint();

    expect(mint).toThrow(TypeError);
  });

  test.each([0, 8, 15, 17])('randomness of %d bytes is refused', (length) => {
    const mint = createKeyMinter({ random: () => new Uint8Array(length) });

    expect(mint).toThrow(/`random`.*16 bytes/);
  });
});

function mintMany<Key>(mint: () => Key, count: number): Key[] {
  return Array.from({ length: count }, mint);
}

function expectStrictlyIncreasing(keys: readonly string[]): void {
  expect(keys).toEqual([...new Set(keys)].sort());
}

function filledWith(hex: string): (bytes: Uint8Array) => Uint8Array {
  const values = hex
    .replaceAll(' ', '')
    .match(/../g)!
    .map((pair) => Number.parseInt(pair, 16));
  return (bytes) => {
    bytes.set(values);
    return bytes;
  };
}
