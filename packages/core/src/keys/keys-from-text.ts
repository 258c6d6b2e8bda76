import { type IdempotencyKey, parseKey } from './idempotency-key.ts';

/**
 * The keys that a person may mean by a text: a UUID v7 in lower case; and as it was given, where
 * opaque keys are accepted. None if it cannot be a key at all.
 */
export function keysFromText(text: string): readonly IdempotencyKey[] {
  const parsed = [parseKey(text), parseKey(text, 'opaque')];
  return [...new Set(parsed.flatMap((each) => (each.kind === 'key' ? [each.key] : [])))];
}
