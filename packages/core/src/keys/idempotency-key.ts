/**
 * Names one intent inside a scope. It stays the same through every attempt, reload and restart.
 *
 * The brand keeps unchecked strings out: get one from {@link parseKey} or `mintKey`.
 */
export type IdempotencyKey = string & { readonly [brand]: true };
declare const brand: unique symbol;

/**
 * Which keys a server accepts.
 *
 * - `uuid-v7`: 36 characters of RFC 9562, whose timestamp lets the server refuse a key that is
 *   older than its memory instead of executing it again.
 * - `opaque`: 16 to 255 printable ASCII characters, for clients that were not written for this kit.
 */
export type KeyFormat = 'uuid-v7' | 'opaque';

/** Why a string is not a key. Names what is wrong without repeating the string. */
export type KeyProblem = 'not-uuid-v7' | 'too-short' | 'too-long' | 'not-printable-ascii';

/** What a text is: a key of one of two formats, or none. */
export type ParsedKey =
  | { readonly kind: 'key'; readonly key: IdempotencyKey }
  | { readonly kind: 'invalid'; readonly problem: KeyProblem };

/**
 * Checks a key that came from outside.
 *
 * A UUID is case-insensitive (RFC 9562, section 4), so it is folded to lower case: the same key
 * written in capitals by a proxy or a test client stays the same key.
 */
export function parseKey(text: string, format: KeyFormat = 'uuid-v7'): ParsedKey {
  // Length first: whatever follows is then cheap, however long the header was.
  if (text.length > 255) return { kind: 'invalid', problem: 'too-long' };
  if (format === 'opaque') return parseOpaque(text);
  if (readTime(text) !== undefined) return { kind: 'key', key: text as IdempotencyKey };
  const folded = text.toLowerCase();
  return readTime(folded) === undefined
    ? { kind: 'invalid', problem: 'not-uuid-v7' }
    : { kind: 'key', key: folded as IdempotencyKey };
}

/** When a UUID v7 key was minted, in milliseconds since 1970, by its client's clock. */
export function keyTimestamp(key: IdempotencyKey): number {
  const ms = uuidV7Time(key) ?? uuidV7Time(key.toLowerCase());
  if (ms === undefined) throw new TypeError('Expected a UUID v7 key; an opaque key has no time');
  return ms;
}

/**
 * The time of a UUID v7 in lower case, in which keys are; `undefined` for any other text.
 *
 * By hand and in one go: servers do this for every request, and a regular expression gone cold, or
 * more code, is slower.
 */
export function uuidV7Time(text: string): number | undefined {
  // Whoever parsed a key asks for its time next.
  return text === lastText ? lastTime : readTime(text);
}

let lastText = '';
let lastTime: number | undefined;

function readTime(text: string): number | undefined {
  lastText = text;
  return (lastTime = timeIn(text));
}

function timeIn(text: string): number | undefined {
  if (text.length !== 36) return undefined;
  let ms = 0;
  for (let index = 0; index < 36; index += 1) {
    const code = text.charCodeAt(index);
    if (index === 8 || index === 13 || index === 18 || index === 23) {
      if (code !== hyphen) return undefined;
      continue;
    }
    const digit = hexDigit(code);
    if (digit < 0) return undefined;
    if (index < 13) ms = ms * 16 + digit;
    // The version, and the variant: a digit whose first two bits are 10.
    if (index === 14 && digit !== 7) return undefined;
    if (index === 19 && digit >> 2 !== 0b10) return undefined;
  }
  return ms;
}

const hyphen = 0x2d;

/** The value of a digit in lower case; less than zero for what is none. */
function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  return code >= 0x61 && code <= 0x66 ? code - 0x57 : -1;
}

function parseOpaque(text: string): ParsedKey {
  if (text.length < 16) return { kind: 'invalid', problem: 'too-short' };
  if (!/^[\x21-\x7e]+$/.test(text)) return { kind: 'invalid', problem: 'not-printable-ascii' };
  return { kind: 'key', key: text as IdempotencyKey };
}
