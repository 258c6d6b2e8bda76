import { type CurrentIntent, provideCurrentIntent } from './current-intent.ts';
import { following } from './following.ts';

/** Keeps what is executed for everything that a function awaits: an `AsyncLocalStorage` of Node.js. */
export interface IntentStorage {
  run<T>(executed: ExecutedIntent, callback: () => T): T;
  getStore(): ExecutedIntent | undefined;
}

/** May hold more, for whoever put it there. */
export interface ExecutedIntent {
  readonly intent: CurrentIntent | undefined;
}

/**
 * For whoever executes intents: the one storage of this process, made by whoever asks first.
 *
 * One, although the engine and the relay of an outbox are two packages: of an intent inside another
 * the inner one is current, and only a storage that they share knows which that is.
 */
export function sharedIntents(create: () => IntentStorage): IntentStorage {
  provideCurrentIntent(readShared);
  return ((globalThis as Slot)[slot] ??= create());
}

function readShared(): CurrentIntent | undefined {
  const intent = (globalThis as Slot)[slot]?.getStore()?.intent;
  if (!intent) refuseToGuess();
  return intent;
}

function refuseToGuess(): void {
  const { asked, missed } = following();
  if (!asked) {
    throw new TypeError(
      'Expected `followIntents()` of @onceward/core to have been called at start-up: without it, ' +
        'nobody knows the current intent',
    );
  }
  if (missed > 0) {
    throw new TypeError(
      'Somebody asked for the current intent for the first time while mutations were running, and ' +
        'this may be one of them. Import clients before the first request, or call ' +
        '`followIntents()` of @onceward/core at start-up',
    );
  }
}

const slot = Symbol.for('@onceward/core.intentStorage');

interface Slot {
  [slot]?: IntentStorage;
}
