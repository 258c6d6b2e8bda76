import { deriveKey, type IdempotencyKey } from '@onceward/core';
import { sha256 } from '../../ambient/ambient-intent.ts';

/**
 * The key of one field of an operation, derived from the key that was sent and the name under
 * which the field is answered. For look-ups: it is the one in the store.
 *
 * Also for the only field. Whether it is the only one may change from one delivery to the next,
 * with `@include` for example, and under another key it would be executed again.
 */
export function fieldKey(key: IdempotencyKey, responseName: string): IdempotencyKey {
  return deriveKey(key, ['field', responseName], sha256);
}
