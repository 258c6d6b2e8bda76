import { randomUUID } from 'node:crypto';
import { newRequest } from '@onceward/conformance/requests';
import { createKeyMinter, keyTimestamp } from '@onceward/core';
import type { Completion, ReserveRequest, Store } from '@onceward/core/store';

export const answer = Buffer.alloc(512, 'a');

export const completion: Completion = {
  outcome: { kind: 'success', answer },
  answerRetentionMs: 60_000,
};

const template = newRequest();

/** As an engine would hand it to the store. */
export function newIntent(): ReserveRequest {
  const key = mintKey();
  return { ...template, key, keyTimestampMs: keyTimestamp(key), token: newToken() };
}

/**
 * Keys are minted before they are used, as if ten were in each millisecond: thousands of one
 * millisecond would fill an index in an order that no traffic has.
 */
const mintKey = createKeyMinter({
  now() {
    mintedAt = Math.max(mintedAt + 1 / 10, Date.now());
    return Math.floor(mintedAt);
  },
});
let mintedAt = 0;

/** At the price of the engine's, which draws random bytes for many tokens at once. */
function newToken(): string {
  return randomUUID().replaceAll('-', '');
}

export async function reserveAndComplete(store: Store, request: ReserveRequest): Promise<void> {
  const { kind } = await store.reserve(request);
  if (kind !== 'reserved') throw new Error(`Expected a new key to be reserved, got ${kind}`);
  await store.complete(request, completion);
}
