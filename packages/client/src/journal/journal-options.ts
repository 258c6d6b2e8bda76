import {
  type Clock,
  createKeyMinter,
  type IdempotencyKey,
  type KeyMinterOptions,
  systemClock,
} from '@onceward/core';
import type { JournalStore } from '@onceward/core/journal';
import { callable, positive } from '../check-option.ts';
import { quietly } from '../quietly.ts';
import type { JournalEvent } from './journal-event.ts';
import { type Network, systemNetwork } from './network.ts';
import type { BodyCodec } from './record-body.ts';
import type { Transformer } from './wire-text.ts';

/** How a journal keeps and delivers intents. Every option but two has a default. */
export interface JournalOptions {
  /** Where records live. */
  store: JournalStore;
  /**
   * Whose intents these are: the id of the user, and of the tenant if there are several. What
   * another user has left on this device is never sent.
   *
   * As a function it is asked before every attempt, and nothing is sent while it throws, or answers
   * with something else, such as `null` after the user has signed out in another tab.
   */
  scope: string | (() => string | null);
  /** Signs the user in again after a 401, which is then not counted as an attempt. */
  refresh?: (() => Promise<unknown>) | undefined;
  /** For inputs and answers that are not JSON: the one that your tRPC links use. */
  transformer?: Transformer | undefined;
  /** Encrypts or translates what is written. @defaultValue written as it is */
  codec?: BodyCodec | undefined;
  /**
   * How long after it was made a key may be sent. Longer than the server remembers answers, and a
   * mutation that took effect may have to be settled by hand.
   *
   * @defaultValue nine tenths of a day
   */
  keyLifetimeMs?: number | undefined;
  /** How long what nobody asked for is kept after it was settled. @defaultValue a week */
  keepSettledMs?: number | undefined;
  /** How many records may be live; further intents are refused. @defaultValue `1_000` */
  maxRecords?: number | undefined;
  /** How many characters an input may have as text. @defaultValue `262_144` */
  maxInputLength?: number | undefined;
  /** How many records are sent at once. @defaultValue `4` */
  concurrency?: number | undefined;
  /** How long one attempt may take. @defaultValue `15_000` */
  attemptTimeoutMs?: number | undefined;
  /** The longest first wait; it doubles with each attempt. @defaultValue `500` */
  baseDelayMs?: number | undefined;
  /** The longest wait; ten times that from the ninth attempt on. @defaultValue `30_000` */
  maxDelayMs?: number | undefined;
  /** Called for what the records do not show. What it throws is ignored. */
  onEvent?: ((event: JournalEvent) => void) | undefined;
  /** @defaultValue what the browser says; elsewhere always online */
  network?: Network | undefined;
  /** Time and timers. @defaultValue those of this process */
  clock?: Clock | undefined;
  /** A number from 0 up to 1, for the jitter of delays. @defaultValue `Math.random` */
  random?: (() => number) | undefined;
  /** Mints keys for a time. React Native has no `crypto`: pass `keysFrom(getRandomValues)` there. */
  newKeys?: ((now: () => number) => () => IdempotencyKey) | undefined;
}

/** `JournalOptions` after `resolveJournalOptions`: complete and checked. */
export interface ResolvedJournalOptions extends Readonly<Limits> {
  readonly store: JournalStore;
  readonly scope: string;
  /** Whether it is still the scope of whoever is signed in. */
  readonly isCurrent: () => boolean;
  readonly refresh?: (() => Promise<unknown>) | undefined;
  readonly transformer?: Transformer | undefined;
  readonly codec?: BodyCodec | undefined;
  readonly onEvent: (event: JournalEvent) => void;
  readonly network: Network;
  readonly clock: Clock;
  readonly random: () => number;
  readonly newKeys: (now: () => number) => () => IdempotencyKey;
}

/** Fills in and checks, once; nothing after this asks whether an option was given. */
export function resolveJournalOptions(options: JournalOptions): ResolvedJournalOptions {
  const { scope } = options;
  const currentScope = typeof scope === 'function' ? scope : () => scope;
  const owner = currentScope();
  if (typeof owner !== 'string' || owner === '') {
    throw new TypeError('Expected a user as `scope`');
  }
  callable('store.insert', (options.store as Partial<JournalStore> | undefined)?.insert);
  const onEvent = callable('onEvent', options.onEvent ?? (() => {}));
  const limits = { ...defaultLimits };
  for (const name of Object.keys(limits) as (keyof Limits)[]) {
    limits[name] = positive(name, options[name] ?? limits[name]);
  }
  return {
    ...options,
    ...limits,
    scope: owner,
    isCurrent() {
      try {
        return currentScope() === owner;
      } catch {
        // Who cannot tell whose turn it is says that it is nobody's.
        return false;
      }
    },
    onEvent: (event) => quietly(() => onEvent(event)),
    network: options.network ?? systemNetwork,
    clock: options.clock ?? systemClock,
    random: options.random ?? (() => Math.random()),
    newKeys: options.newKeys ?? ((now) => createKeyMinter({ now })),
  };
}

/** What is counted, or measured in milliseconds. */
type Limits = Record<keyof typeof defaultLimits, number>;

const defaultLimits = {
  keyLifetimeMs: 77_760_000,
  keepSettledMs: 604_800_000,
  maxRecords: 1_000,
  maxInputLength: 262_144,
  concurrency: 4,
  attemptTimeoutMs: 15_000,
  baseDelayMs: 500,
  maxDelayMs: 30_000,
};

/** For engines without `crypto`, such as React Native: mints keys from bytes of another source. */
export function keysFrom(random: NonNullable<KeyMinterOptions['random']>) {
  return (now: () => number) => createKeyMinter({ now, random });
}
