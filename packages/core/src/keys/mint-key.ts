import type { IdempotencyKey } from './idempotency-key.ts';

/** Where a minter gets time and randomness from. */
export interface KeyMinterOptions {
  /** Milliseconds since 1970. @defaultValue `Date.now` */
  now?: () => number;
  /**
   * Fills an array with unpredictable bytes and returns it.
   *
   * Must be cryptographically strong: whoever can guess a user's keys can take them first.
   *
   * @defaultValue `crypto.getRandomValues`; React Native has none, so inject one there, such as
   * `getRandomValues` of expo-crypto
   */
  random?: (bytes: Uint8Array) => Uint8Array;
}

/**
 * Makes a function that mints UUID v7 keys, each greater than the one before, unless the clock
 * was put back by more than five minutes in between.
 *
 *   ┌ 48 bits ┐   ┌ 12 bits ┐ ┌ 62 bits ────────┐
 *   0197a3b1-0c2d-7 f3e      -8 c4d-0c0c07398f12
 *   milliseconds    counter    random
 *
 * The counter starts at random in every millisecond and grows by one within it. So keys sort in
 * the order they were minted, and seeing one key still leaves 62 random bits of the next.
 */
export function createKeyMinter(options: KeyMinterOptions = {}): () => IdempotencyKey {
  const now = options.now ?? (() => Date.now());
  const random = options.random ?? systemRandom;
  let lastMs = -1;
  let counter = 0;

  return () => {
    const bytes = sixteenBytes(random(new Uint8Array(16)));
    const nowMs = wholeMilliseconds(now());
    // A clock that was far wrong and is put right is followed: counting on from the wrong time
    // would make a server refuse every later key too. The random bits keep keys distinct.
    if (nowMs > lastMs || nowMs < lastMs - largestStepBackMs) {
      lastMs = nowMs;
      counter = randomCounter(bytes);
    } else if (counter < 0xfff) {
      // Same millisecond, or the clock stepped back a little: keep the time, count on.
      counter += 1;
    } else {
      // RFC 9562 section 6.2 allows running ahead of the clock rather than repeating a value.
      lastMs = wholeMilliseconds(lastMs + 1);
      counter = randomCounter(bytes);
    }
    return format(lastMs, counter, bytes);
  };
}

/** Mints a key with this process's clock and randomness. */
export const mintKey: () => IdempotencyKey = /* @__PURE__ */ createKeyMinter();

/** Servers accept keys from up to five minutes ahead, so counting on for that long is harmless. */
const largestStepBackMs = 300_000;

function format(ms: number, counter: number, bytes: Uint8Array): IdempotencyKey {
  const time = ms.toString(16).padStart(12, '0');
  // The two highest bits of the fourth group are the variant of RFC 9562: binary 10.
  const [first = 0, ...rest] = bytes.subarray(8);
  const tail = [0x80 | (first & 0x3f), ...rest].map(hexByte).join('');
  const versioned = `7${counter.toString(16).padStart(3, '0')}`;
  const groups = [time.slice(0, 8), time.slice(8), versioned, tail.slice(0, 4), tail.slice(4)];
  return groups.join('-') as IdempotencyKey;
}

function randomCounter(bytes: Uint8Array): number {
  const [high = 0, low = 0] = bytes.subarray(6);
  return ((high & 0x0f) << 8) | low;
}

/** A short answer would otherwise become a key that is too short to be one. */
function sixteenBytes(bytes: Uint8Array): Uint8Array {
  if (bytes.length === 16) return bytes;
  throw new TypeError('Expected `random` to return 16 bytes');
}

function wholeMilliseconds(ms: number): number {
  const whole = Math.floor(ms);
  if (whole >= 0 && whole <= 0xffff_ffff_ffff) return whole;
  throw new TypeError('Expected `now` to return milliseconds since 1970');
}

function systemRandom(bytes: Uint8Array): Uint8Array {
  const source = (globalThis as { crypto?: { getRandomValues?: (into: Uint8Array) => Uint8Array } })
    .crypto;
  if (source?.getRandomValues) return source.getRandomValues(bytes);
  throw new TypeError('No `crypto.getRandomValues`: pass `random` to `createKeyMinter`');
}

function hexByte(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}
