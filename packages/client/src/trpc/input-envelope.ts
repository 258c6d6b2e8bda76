import type { IdempotencyKey } from '@onceward/core';
import { isNonJsonSerializable } from '@trpc/client';

/**
 * An input that brings its key along, for transports that carry nothing else.
 *
 * The base procedure of the server must unwrap it: one that does not know it would validate the
 * envelope, and take an input whose fields are all optional for an empty one.
 */
export function inEnvelope(input: unknown, key: IdempotencyKey): unknown {
  return { $idempotency: key, input };
}

/** Refuses what an envelope would turn into `{}`. */
export function checkFitsEnvelope(input: unknown): void {
  if (!isNonJsonSerializable(input) && !isStream(input)) return;
  throw new TypeError("`transport: 'input'` carries JSON only, no forms, files or streams");
}

function isStream(input: unknown): boolean {
  return typeof (input as { getReader?: unknown } | null | undefined)?.getReader === 'function';
}
