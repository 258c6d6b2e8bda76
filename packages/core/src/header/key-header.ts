import { parseItem } from 'structured-headers';
import {
  type IdempotencyKey,
  type KeyFormat,
  type KeyProblem,
  parseKey,
} from '../keys/idempotency-key.ts';

/**
 * How the value of `Idempotency-Key` may be written.
 *
 * - `strict`: an RFC 9651 String, in double quotes, as the IETF draft demands.
 * - `lenient`: also the bare form that Stripe's and most older clients send.
 */
export type KeyHeaderSyntax = 'strict' | 'lenient';

/** What is wrong with a header. */
export type KeyHeaderProblem =
  | KeyProblem
  /** More than one header line, even if they are equal: nobody can say which one was meant. */
  | 'several-headers'
  /** Not an RFC 9651 String, and not a bare key either where that is allowed. */
  | 'malformed';

/** What a header says. */
export type ParsedKeyHeader =
  | { readonly kind: 'absent' }
  | { readonly kind: 'key'; readonly key: IdempotencyKey }
  | { readonly kind: 'invalid'; readonly problem: KeyHeaderProblem };

/**
 * Reads a key from the lines of the `Idempotency-Key` header.
 *
 * Pass every line (`request.headersDistinct`, `rawHeaders`) where the platform keeps them apart.
 * Where it has joined them with a comma, as `Headers` and Node's `headers` do, the joined value
 * fails to parse, which is the same refusal.
 */
export function parseKeyHeader(
  lines: string | readonly string[] | null | undefined,
  options: { syntax?: KeyHeaderSyntax; format?: KeyFormat } = {},
): ParsedKeyHeader {
  const { syntax = 'lenient', format = 'uuid-v7' } = options;
  const values = typeof lines === 'string' ? [lines] : (lines ?? []);
  const [value] = values;
  if (value === undefined) return { kind: 'absent' };
  if (values.length > 1) return { kind: 'invalid', problem: 'several-headers' };
  if (value.length > longestHeader) return { kind: 'invalid', problem: 'too-long' };

  // The first character decides which grammar applies. Falling back from one to the other would
  // read `a50e…` as a Token, and a broken String as a key with a quote in it.
  // As it stands first: nearly every one does, and trimming would copy it.
  if (value.startsWith('"') || value.trimStart().startsWith('"')) return parseQuoted(value, format);
  // A comma outside quotes joins two lines: `a,b` would otherwise pass as one opaque key.
  return syntax === 'strict' || value.includes(',')
    ? { kind: 'invalid', problem: 'malformed' }
    : parseKey(trimWhitespace(value), format);
}

/** Writes a key as an RFC 9651 String, the form this kit's clients send. */
export function formatKeyHeader(key: IdempotencyKey): string {
  return `"${key.replace(/["\\]/g, '\\$&')}"`;
}

/** Room for 255 escaped characters, quotes and a few parameters. */
const longestHeader = 1024;

function parseQuoted(value: string, format: KeyFormat): ParsedKeyHeader {
  // What our clients send needs no parser: in a UUID, nothing is escaped.
  if (format === 'uuid-v7' && value.endsWith('"')) {
    const unescaped = parseKey(value.slice(1, -1));
    if (unescaped.kind === 'key') return unescaped;
  }
  let text: unknown;
  try {
    [text] = parseItem(value);
  } catch {
    return { kind: 'invalid', problem: 'malformed' };
  }
  return typeof text === 'string'
    ? parseKey(text, format)
    : { kind: 'invalid', problem: 'malformed' };
}

/** Only what HTTP calls optional whitespace: `trim()` would also forgive a no-break space. */
function trimWhitespace(value: string): string {
  return value.replace(/^[ \t]+|[ \t]+$/g, '');
}
