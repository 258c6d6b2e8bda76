import { type Clock, formatKeyHeader, type IdempotencyKey } from '@onceward/core';
import { keyHeader } from './header-names.ts';
import type { KeyDelivery } from './retry/verdict.ts';
import { wait } from './wait.ts';

/** One try at sending an intent, as the code that sends it sees it. */
export interface Attempt {
  /** 1 for the first. */
  readonly number: number;
  /** Aborted when nobody waits for this attempt any more; `null` where the engine has none. */
  readonly signal: AbortSignal | null;
  /**
   * The intent's key, to be put on the request; `undefined` for an intent without one.
   *
   * Taking it says that the request carries it. An attempt that fails without having taken its
   * key is not repeated: without the key, that could take effect twice.
   */
  takeKey(): IdempotencyKey | undefined;
  /** As `takeKey`, written as request headers: `{ 'Idempotency-Key': '"0197…"' }`. */
  headers(): Record<string, string>;
}

/** Sends an intent once. Resolves with the server's result; throws for everything else. */
export type Send<T> = (attempt: Attempt) => Promise<T>;

/** What an attempt is made with, and what ends it. */
export interface AttemptConditions {
  readonly number: number;
  readonly key: IdempotencyKey | null;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly clock: Clock;
}

/** How an attempt ended. */
export type AttemptResult<T> = AttemptEnd<T> & { readonly keyDelivery: KeyDelivery };

type AttemptEnd<T> =
  | { readonly kind: 'succeeded'; readonly value: T }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'timeout' | 'aborted' };

/**
 * Runs one attempt until it ends, its time is up, or the caller no longer waits.
 *
 * Does not rely on `send` to heed its signal: some transports drop it, and one request of a batch
 * cannot be aborted at all.
 */
export async function runAttempt<T>(
  send: Send<T>,
  { number, key, timeoutMs, ...conditions }: AttemptConditions,
): Promise<AttemptResult<T>> {
  const controller = typeof AbortController === 'undefined' ? undefined : new AbortController();
  let keyDelivery: KeyDelivery = key === null ? 'none' : 'not-delivered';
  const takeKey = () => {
    if (key === null) return undefined;
    keyDelivery = 'delivered';
    return key;
  };
  const headers = (): Record<string, string> => {
    const taken = takeKey();
    return taken ? { [keyHeader]: formatKeyHeader(taken) } : {};
  };
  const work = endOf(send, { number, signal: controller?.signal ?? null, takeKey, headers });
  const end = await wait(timeoutMs, conditions, work);
  if (typeof end === 'object') return { ...end, keyDelivery };

  controller?.abort(conditions.signal?.reason);
  return { kind: end === 'elapsed' ? 'timeout' : end, keyDelivery };
}

async function endOf<T>(send: Send<T>, attempt: Attempt): Promise<AttemptEnd<T>> {
  try {
    return { kind: 'succeeded', value: await send(attempt) };
  } catch (error) {
    return { kind: 'failed', error };
  }
}
