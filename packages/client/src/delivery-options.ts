import {
  type Clock,
  createKeyMinter,
  type IdempotencyKey,
  mintKey,
  systemClock,
} from '@onceward/core';
import { callable, limit, positive } from './check-option.ts';
import type { DeliveryEvent } from './delivery-event.ts';
import type { Failure } from './failure.ts';

/** How intents are delivered. Every option has a default that is safe to keep. */
export interface DeliveryOptions {
  /**
   * How many attempts may fail. Waiting for a mutation that still runs does not count. As many as
   * last through a restart of the server: with fewer, jitter can use them up within a second.
   *
   * @defaultValue `8`
   */
  maxAttempts?: number | undefined;
  /**
   * How long one attempt may take. Shorter than your slowest mutation, it makes attempts that
   * only ask whether the first one has finished; none takes effect twice.
   *
   * @defaultValue `15_000`
   */
  attemptTimeoutMs?: number | undefined;
  /**
   * How long all attempts and waits may take together. An intent is given up as soon as the next
   * attempt would start later than that. `Infinity` for no limit.
   *
   * @defaultValue `60_000`
   */
  deadlineMs?: number | undefined;
  /** The longest first wait; it doubles with each attempt. @defaultValue `500` */
  baseDelayMs?: number | undefined;
  /** The longest wait, unless a server asks for a longer one. @defaultValue `30_000` */
  maxDelayMs?: number | undefined;
  /** Puts what a client library throws into words. @defaultValue `describeFailure` */
  describeFailure?: ((error: unknown) => Failure) | undefined;
  /** Called for everything that happens. What it throws is ignored. */
  onEvent?: ((event: DeliveryEvent) => void) | undefined;
  /** Time and timers. @defaultValue those of this process */
  clock?: Clock | undefined;
  /** A number from 0 up to 1, for the jitter of delays. @defaultValue `Math.random` */
  random?: (() => number) | undefined;
  /**
   * Mints the key of an intent that has none. React Native has no `crypto.getRandomValues`: pass
   * a `createKeyMinter` with another source there.
   *
   * @defaultValue `mintKey`
   */
  newKey?: (() => IdempotencyKey) | undefined;
}

/** `DeliveryOptions` after `resolveDeliveryOptions`: complete and checked. */
export interface ResolvedDeliveryOptions {
  readonly maxAttempts: number;
  readonly attemptTimeoutMs: number;
  readonly deadlineMs: number;
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
  readonly describeFailure: (error: unknown) => Failure;
  readonly onEvent: (event: DeliveryEvent) => void;
  readonly clock: Clock;
  readonly random: () => number;
  readonly newKey: () => IdempotencyKey;
  readonly keyNotSent: string | undefined;
}

/** What a link adds to the options of its user. */
export interface LinkDeliveryOptions extends DeliveryOptions {
  describeFailure: (error: unknown) => Failure;
  /**
   * Says what puts the key on a request, to those who forgot it. Links that do so themselves have
   * nothing to say.
   */
  keyNotSent?: string;
}

/** Fills in and checks, once; nothing after this asks whether an option was given. */
export function resolveDeliveryOptions(options: LinkDeliveryOptions): ResolvedDeliveryOptions {
  const clock = options.clock ?? systemClock;
  if (!('setTimer' in clock)) throw new TypeError('Expected `clock` to be a Clock');
  return {
    maxAttempts: limit('maxAttempts', options.maxAttempts ?? 8),
    attemptTimeoutMs: limit('attemptTimeoutMs', options.attemptTimeoutMs ?? 15_000),
    deadlineMs: limit('deadlineMs', options.deadlineMs ?? 60_000),
    baseDelayMs: positive('baseDelayMs', options.baseDelayMs ?? 500),
    maxDelayMs: positive('maxDelayMs', options.maxDelayMs ?? 30_000),
    describeFailure: callable('describeFailure', options.describeFailure),
    onEvent: callable('onEvent', options.onEvent ?? (() => {})),
    clock,
    random: callable('random', options.random ?? (() => Math.random())),
    newKey: callable('newKey', options.newKey ?? minterFor(options.clock)),
    keyNotSent: options.keyNotSent,
  };
}

/** Keys carry the time, so they follow the clock that was handed in. */
function minterFor(clock: Clock | undefined): () => IdempotencyKey {
  return clock ? createKeyMinter({ now: () => clock.now() }) : mintKey;
}
