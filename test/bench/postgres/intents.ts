import { randomUUID } from 'node:crypto';
import { newRequest } from '@onceward/conformance/requests';
import { keyTimestamp, mintKey } from '@onceward/core';
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

/** At the price of the engine's, which draws random bytes for many tokens at once. */
function newToken(): string {
  return randomUUID().replaceAll('-', '');
}

/**
 * What new keys are prepared by: they are minted when they are used, one after the other. Thousands
 * of one millisecond would fill an index in an order that no traffic has.
 */
export const nothing = (): void => undefined;

export async function reserveAndComplete(store: Store, request: ReserveRequest): Promise<void> {
  const { kind } = await store.reserve(request);
  if (kind !== 'reserved') throw new Error(`Expected a new key to be reserved, got ${kind}`);
  await store.complete(request, completion);
}
