import { type IdempotencyKey, mintKey } from '@onceward/core';

/**
 * Adds a key to the variables of a mutation that declares `$idempotencyKey`.
 *
 * For variables that are kept, in a form or in an offline queue: wherever they are sent from again,
 * after a reload for example, it is the same intent.
 *
 * @example
 * ```ts
 * await client.mutation(PAY, withIdempotencyKey({ cents: 1200 }));
 * ```
 */
export function withIdempotencyKey<TVariables extends object>(
  variables: TVariables,
): TVariables & { idempotencyKey: IdempotencyKey } {
  return { ...variables, idempotencyKey: mintKey() };
}
