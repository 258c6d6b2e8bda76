import type { Fingerprint } from '@onceward/core/store';

/**
 * Has digests taken some at a time: what code needs is in the processor's caches for all but the
 * first of them, and a server that takes one for each request has cleared them in between. Until
 * then, a fingerprint remembers its input, so few wait, and none is left to wait for ever.
 */
export class LateDigests {
  readonly #waiting: Fingerprint[] = [];

  add(fingerprint: Fingerprint): void {
    if (this.#waiting.push(fingerprint) < atOnce) return;
    for (const { digest: _taken } of this.#waiting) continue;
    this.#waiting.length = 0;
  }
}

const atOnce = 32;
