/** An input that is compared byte by byte. Made by {@link rawInput}. */
export class RawInput {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

/**
 * Fingerprints a body exactly as it was sent, instead of what it means as JSON.
 *
 * White space, the order of members and every digit of a number then count: a client must send
 * the same bytes on every attempt. Use it where a signature covers the body, or where it is not
 * JSON.
 *
 * @example
 * ```ts
 * await receive.runOnce({ scope, key, input: rawInput(body) }, handle);
 * ```
 */
export function rawInput(body: Uint8Array | string): RawInput {
  return new RawInput(typeof body === 'string' ? new TextEncoder().encode(body) : body);
}
