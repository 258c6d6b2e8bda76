import { type IdempotencyKey, parseKey } from '@onceward/core';
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
  const context: Slot & Record<string, unknown> = { [slot]: key === null ? null : checked(key) };
  return { context };
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
  const key = given === undefined ? keyOf(op) : given;
  return typeof key === 'string' ? checked(key) : key;
}

/** Whether the server wants more than this, such as a UUID v7, only the server knows. */
function checked(key: string): IdempotencyKey {
  const parsed = parseKey(String(key), 'opaque');
  if (parsed.kind === 'key') return parsed.key;
  throw new TypeError(
    `Expected an idempotency key of 16 to 255 printable ASCII characters; this one is ${parsed.problem}`,
  );
}

const slot = Symbol.for('@onceward/client.trpc.key');

interface Slot {
  [slot]?: string | null;
}
