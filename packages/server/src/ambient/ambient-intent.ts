import { createHash } from 'node:crypto';
import {
  type CurrentIntent,
  currentIntent,
  ExecutingIntent,
  following,
  type IdempotencyKey,
} from '@onceward/core';
import { ambient } from './ambient.ts';

/** An intent, by its name in the store. */
export interface NamedIntent {
  readonly scope: string;
  readonly key: IdempotencyKey;
}

/**
 * Runs a handler, or a step of it, as the current intent: whatever it calls through a client of
 * this kit carries a key derived from it, without a line written for that.
 *
 * The scope is part of every derived key: what is called may know both of two tenants who sent the
 * same key by one name. So is the name of a step, and one that is skipped on the next attempt does
 * not shift the keys of the others.
 */
export function asCurrentIntent<T>(
  { scope, key }: NamedIntent,
  run: () => T,
  { step }: { step?: string } = {},
): T {
  if (!following().asked) return run();
  const within = step === undefined ? [scope] : [scope, step];
  return ambient().run({ intent: new ExecutingIntent({ key, within }, sha256) }, run);
}

/**
 * The same, for a handler that runs in several parts: the keys of their calls differ, because all of
 * them are numbered by one intent.
 */
export class IntentInParts {
  readonly #named: NamedIntent;
  #intent: ExecutingIntent | undefined;

  constructor(named: NamedIntent) {
    this.#named = named;
  }

  run<T>(part: () => T): T {
    if (!following().asked) return part();
    const { scope, key } = this.#named;
    this.#intent ??= new ExecutingIntent({ key, within: [scope] }, sha256);
    return ambient().run({ intent: this.#intent }, part);
  }
}

/** The intent around the caller. Where nobody may ask, there is none to be found. */
export function intentAround(): CurrentIntent | undefined {
  return following().asked ? currentIntent() : undefined;
}

export function sha256(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}
