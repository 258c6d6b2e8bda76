/**
 * How a key travels where there are no headers: over a WebSocket, or a link without a network.
 *
 *   { "$idempotency": "0197…", "input": { "amountCents": 100 } }
 */
export interface KeyEnvelope {
  readonly $idempotency: unknown;
  readonly input?: unknown;
}

export function isEnvelope(input: unknown): input is KeyEnvelope {
  if (typeof input !== 'object' || input === null || !Object.hasOwn(input, '$idempotency')) {
    return false;
  }
  return Object.keys(input).every((name) => name === '$idempotency' || name === 'input');
}
