import type { Fingerprint } from '@onceward/core/store';
import type { HmacKey } from './hmac-key.ts';

/**
 * A fingerprint whose digest is taken when somebody first asks for it, and whose text is forgotten
 * then. A store that writes it down asks at once; one that only compares may never have to.
 */
export class LateFingerprint implements Fingerprint {
  readonly version: number;
  readonly #key: HmacKey;
  #text: string | undefined;
  /** A character for each byte: a text takes half of the memory of bytes. */
  #digest = '';

  constructor(version: number, key: HmacKey, text: string) {
    this.version = version;
    this.#key = key;
    this.#text = text;
  }

  get digest(): Uint8Array {
    if (this.#text !== undefined) {
      this.#digest = this.#key.digest(this.#text);
      this.#text = undefined;
    }
    return Buffer.from(this.#digest, 'latin1');
  }
}
