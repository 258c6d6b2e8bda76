import type { Fingerprint } from '@onceward/core/store';
import type { HmacKey } from './hmac-key.ts';

/**
 * A fingerprint whose digest is taken when somebody first asks for it, and whose text is forgotten
 * then. A store that writes it down asks at once; one in memory when it compares, or for several.
 */
export class LateFingerprint implements Fingerprint {
  readonly version: number;
  readonly #key: HmacKey;
  #text: string | undefined;
  #digest = '';

  constructor(version: number, key: HmacKey, text: string) {
    this.version = version;
    this.#key = key;
    this.#text = text;
  }

  get digest(): Uint8Array {
    return Buffer.from(this.#taken(), 'latin1');
  }

  static is(fingerprint: Fingerprint): boolean {
    return #digest in fingerprint;
  }

  /** The digest of any fingerprint, a character for each byte: half of the memory, and no buffer. */
  static digestText(fingerprint: Fingerprint): string {
    return #digest in fingerprint
      ? fingerprint.#taken()
      : Buffer.from(fingerprint.digest).toString('latin1');
  }

  #taken(): string {
    if (this.#text !== undefined) {
      this.#digest = this.#key.digest(this.#text);
      this.#text = undefined;
    }
    return this.#digest;
  }
}
