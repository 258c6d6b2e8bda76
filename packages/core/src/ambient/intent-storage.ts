import { type CurrentIntent, provideCurrentIntent } from './current-intent.ts';

/** Keeps an intent for everything that a function awaits: an `AsyncLocalStorage` of Node.js. */
export interface IntentStorage {
  run<T>(intent: CurrentIntent, callback: () => T): T;
  getStore(): CurrentIntent | undefined;
}

/**
 * For whoever executes intents: the one storage of this process, made by whoever asks first.
 *
 * One, although the engine and the relay of an outbox are two packages: of an intent inside another
 * the inner one is current, and only a storage that they share knows which that is.
 */
export function sharedIntents(create: () => IntentStorage): IntentStorage {
  const shared = ((globalThis as Slot)[slot] ??= create());
  provideCurrentIntent(() => shared.getStore());
  return shared;
}

const slot = Symbol.for('@onceward/core.intentStorage');

interface Slot {
  [slot]?: IntentStorage;
}
