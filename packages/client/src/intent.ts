import { type Clock, currentIntent, followIntents, type IdempotencyKey } from '@onceward/core';
import { limit } from './check-option.ts';

// When this is loaded, and not when a client is made: that may be in a handler, and what has begun by
// then cannot be followed any more.
followIntents();

/** One thing a person wanted, once. */
export interface Intent {
  /** What is called, such as the path of a tRPC procedure. */
  operation: string;
  /**
   * The key of every attempt. Pass the one you kept to continue an intent of an earlier call.
   * With `null` there is no key, and the intent is sent once only.
   *
   * @defaultValue derived from the current intent inside a handler of `@onceward/server`; minted
   * anywhere else
   */
  key?: IdempotencyKey | null | undefined;
  /** Where it goes: intents for one origin share a retry budget. @defaultValue `''` */
  origin?: string | undefined;
  /** Ends the delivery at once. It cannot call back what a server has begun. */
  signal?: AbortSignal | null | undefined;
  /** As the option of the same name, for this intent. */
  deadlineMs?: number | undefined;
}

/** An intent after `resolveIntent`: with its key, and with the time it has. */
export interface ResolvedIntent {
  readonly operation: string;
  readonly key: IdempotencyKey | null;
  readonly origin: string;
  readonly signal: AbortSignal | undefined;
  readonly startedAt: number;
  readonly deadlineAt: number;
}

/** Chooses the key, once: whatever happens to the intent from here on happens under it. */
export function resolveIntent(
  intent: Intent,
  options: { clock: Clock; newKey: () => IdempotencyKey; deadlineMs: number },
): ResolvedIntent {
  const startedAt = options.clock.now();
  return {
    operation: intent.operation,
    key:
      intent.key === undefined
        ? (currentIntent()?.childKey(intent.operation) ?? options.newKey())
        : intent.key,
    origin: intent.origin ?? '',
    signal: intent.signal ?? undefined,
    startedAt,
    deadlineAt: startedAt + limit('deadlineMs', intent.deadlineMs ?? options.deadlineMs),
  };
}

/** For intents of callers that are not type-checked; links make their own. */
export function checkIntent(intent: Intent): Intent {
  const { operation, key = null } = intent;
  if (typeof operation !== 'string' || operation === '') {
    throw new TypeError('Expected `operation` to be a name');
  }
  if (key !== null && (typeof key !== 'string' || !key)) {
    throw new TypeError('Expected `key` to be a key, or null for none');
  }
  return intent;
}
