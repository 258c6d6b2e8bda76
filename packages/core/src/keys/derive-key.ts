import { type IdempotencyKey, parseKey } from './idempotency-key.ts';

/** SHA-256 of the UTF-8 bytes of a text. Handed in, because not every engine brings one. */
export type Sha256 = (text: string) => Uint8Array;

/**
 * The key of something that an intent does on its way: a step, a job, a call to another service.
 *
 * The same parent and path always give the same key, so a repeated attempt repeats its children's
 * keys too. A child of a UUID v7 key keeps its parent's time, so that it expires with its parent;
 * the rest is 74 bits of SHA-256 over parent and path.
 */
export function deriveKey(
  parent: IdempotencyKey,
  path: readonly (string | number)[],
  sha256: Sha256,
): IdempotencyKey {
  const digest = [...sha256(JSON.stringify(['onceward-child', parent, ...path]))];
  const hash = digest.map((byte) => byte.toString(16).padStart(2, '0')).join('');
  if (parseKey(parent).kind === 'invalid') return hash.slice(0, 32) as IdempotencyKey;

  const time = parent.slice(0, 13);
  const variant = '89ab'.charAt(Number.parseInt(hash.charAt(3), 16) & 3);
  return [time, `7${hash.slice(0, 3)}`, variant + hash.slice(4, 7), hash.slice(7, 19)].join(
    '-',
  ) as IdempotencyKey;
}
