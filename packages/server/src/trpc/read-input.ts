import { IncomingKeys, type RawInputReader } from './incoming-keys.ts';

/** What is read of a call. */
export interface ReadableCall {
  readonly ctx: { readonly idempotency?: unknown };
  readonly getRawInput: RawInputReader;
}

/**
 * The input of a call, before any parser has seen it.
 *
 * tRPC takes a missing body for broken JSON, which nobody notices as long as nobody asks: a
 * procedure without input does not. We do ask, so we tell the two apart.
 */
export async function readInput({ ctx, getRawInput }: ReadableCall): Promise<unknown> {
  try {
    return await getRawInput();
  } catch (error) {
    const { idempotency: keys } = ctx;
    if (IncomingKeys.is(keys) && !keys.hasBody()) return undefined;
    throw error;
  }
}
