import type { IdempotencyKey } from '@onceward/core';
import type { Operation } from '@trpc/client';

/**
 * Gives one call its key, in the options of the call; `null` for none, so that it is sent once.
 *
 * @example
 * ```ts
 * await client.pay.mutate(payment, idempotencyKey(order.paymentKey));
 * ```
 */
export function idempotencyKey(key: string | null): { context: Record<string, unknown> } {
  const given = checked(key);
  return { context: { [slot]: () => given } satisfies Slot };
}

/**
 * The key that the caller has chosen for an operation: in the options of the call, else by the
 * `key` option of the link. `undefined` when neither has an opinion.
 */
export function chosenKey(
  op: Operation,
  keyOf: (op: Operation) => string | null | undefined,
): IdempotencyKey | null | undefined {
  const given = (op.context as Slot)[slot];
  return given ? given() : checked(keyOf(op));
}

/**
 * The keys that core calls opaque, a UUID v7 among them. Whether a server takes every one of them
 * only the server knows. Not `parseKey`, which would bring along what tells the formats apart.
 */
function checked<T extends null | undefined>(key: string | T): IdempotencyKey | T {
  if (key === null || key === undefined) return key;
  if (typeof key === 'string' && /^[\x21-\x7e]{16,255}$/.test(key)) return key as IdempotencyKey;
  throw new TypeError('Expected an idempotency key of 16 to 255 printable ASCII characters');
}

/** A function, because `loggerLink` prints the context: it shows no key, and survives a copy. */
const slot = Symbol.for('@onceward/client.trpc.key');

interface Slot {
  [slot]?: () => IdempotencyKey | null;
}
