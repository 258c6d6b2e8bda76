import type { IdempotencyKey } from '@onceward/core';

/**
 * Refuses what no server would take for a key, before it is sent; `null` and `undefined` pass.
 *
 * The keys that core calls opaque, a UUID v7 among them. Not `parseKey`, which would bring along
 * what tells the formats apart.
 */
export function checkedKey<T extends null | undefined>(key: string | T): IdempotencyKey | T {
  if (key === null || key === undefined) return key;
  if (typeof key === 'string' && /^[\x21-\x7e]{16,255}$/.test(key)) return key as IdempotencyKey;
  throw new TypeError('Expected an idempotency key of 16 to 255 printable ASCII characters');
}
