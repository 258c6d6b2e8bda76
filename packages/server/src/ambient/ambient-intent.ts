import { createHash } from 'node:crypto';
import {
  type CurrentIntent,
  deriveKey,
  type IdempotencyKey,
  provideCurrentIntent,
} from '@onceward/core';
import { ambient } from './ambient.ts';

/**
 * Runs a handler, or a step of it, as the current intent: whatever it calls through a client of
 * this kit carries a key derived from it, without a line written for that.
 *
 * Inside a step, the step's name is part of every derived key. So a step that is skipped on the
 * next attempt does not shift the keys of the others.
 */
export function asCurrentIntent<T>(
  key: IdempotencyKey,
  run: () => T,
  { step }: { step?: string } = {},
): T {
  // At the first use, not when this file is loaded: importing a package must do nothing.
  provideCurrentIntent(readCurrentIntent);
  return ambient.run({ intent: new ExecutedIntent(key, step) }, run);
}

export function sha256(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}

const readCurrentIntent = () => ambient.getStore()?.intent;

class ExecutedIntent implements CurrentIntent {
  readonly key: IdempotencyKey;
  readonly #step: string | undefined;
  #calls: Map<string, number> | undefined;

  constructor(key: IdempotencyKey, step: string | undefined) {
    this.key = key;
    this.#step = step;
  }

  childKey(operation: string): IdempotencyKey {
    const calls = (this.#calls ??= new Map<string, number>());
    const ordinal = calls.get(operation) ?? 0;
    calls.set(operation, ordinal + 1);
    const within = this.#step === undefined ? [] : [this.#step];
    return deriveKey(this.key, ['call', ...within, operation, ordinal], sha256);
  }
}
