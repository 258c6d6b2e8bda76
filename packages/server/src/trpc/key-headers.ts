import { headerNames, type IdempotencyKey, parseKeyHeader } from '@onceward/core';
import { invalidKey, type KeySyntax, readKey } from '../incoming/read-key.ts';
import { headerLines, type HeaderSource } from '../incoming/request-headers.ts';

/**
 * The key that the headers of a request name for one of its calls.
 *
 * A single call has `Idempotency-Key`. Several share `trpc-idempotency-keys`, JSON by batch index:
 * a list in `Idempotency-Key` would be misread by any proxy that implements the draft.
 */
export function headerKey(
  headers: HeaderSource,
  { index, count }: { index: number; count: number },
  syntax: KeySyntax,
): IdempotencyKey | undefined {
  const own = parseKeyHeader(headerLines(headers, headerNames.key), syntax);
  if (own.kind === 'invalid') throw invalidKey(own.problem);
  // One key cannot name several intents, and nobody can say which of them was meant.
  if (own.kind === 'key' && count > 1) throw invalidKey('one-key-for-a-batch');

  const ofBatch = batchKey(headerLines(headers, headerNames.trpcKeys), { index, count }, syntax);
  if (own.kind === 'absent') return ofBatch;
  if (ofBatch && ofBatch !== own.key) throw invalidKey('disagreeing');
  return own.key;
}

function batchKey(
  [text, ...others]: readonly string[],
  { index, count }: { index: number; count: number },
  syntax: KeySyntax,
): IdempotencyKey | undefined {
  if (text === undefined) return undefined;
  if (others.length > 0) throw invalidKey('several-headers');
  const keys = parseObject(text);
  // A key for no call would be a key that protects nothing, and nobody would notice.
  const names = Array.from({ length: count }, (_, call) => String(call));
  if (!Object.keys(keys).every((name) => names.includes(name))) throw invalidKey('malformed');
  return Object.hasOwn(keys, index) ? readKey(keys[index], syntax) : undefined;
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) {
      return parsed as Record<string, unknown>;
    }
  } catch {
    // Refused below, like everything else that is not an object.
  }
  throw invalidKey('malformed');
}
