import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import {
  type CurrentIntent,
  deriveKey,
  type IdempotencyKey,
  provideCurrentIntent,
} from '@onceward/core';

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
  const calls = new Map<string, number>();
  const within = step === undefined ? [] : [step];
  const intent: CurrentIntent = {
    key,
    childKey(operation) {
      const ordinal = calls.get(operation) ?? 0;
      calls.set(operation, ordinal + 1);
      return deriveKey(key, ['call', ...within, operation, ordinal], sha256);
    },
  };
  // At the first use, not when this file is loaded: importing a package must do nothing.
  provideCurrentIntent(() => intents.getStore());
  return intents.run(intent, run);
}

export function sha256(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}

const intents = new AsyncLocalStorage<CurrentIntent>();
