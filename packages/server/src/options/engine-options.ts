import { type Clock, type KeyFormat, systemClock } from '@onceward/core';
import type { Store, TransactionalStore } from '@onceward/core/store';
import {
  type AnswerCipher,
  createAnswerCipher,
  type EncryptionOptions,
} from '../answers/answer-cipher.ts';
import {
  createFingerprinter,
  type Fingerprinter,
  type FingerprintOptions,
} from '../fingerprint/fingerprint.ts';
import { MemoryStore } from '../memory/memory-store.ts';
import type { EngineHooks } from '../hooks/engine-hooks.ts';
import type { Probe } from '../probe.ts';
import { createScopeQuota, type QuotaOptions, type ScopeQuota } from '../quota/scope-quota.ts';
import { oneOf, positiveInteger, positiveMs, retentionMs, timerMs } from './check-option.ts';
import {
  type InProgressOptions,
  type ResolvedInProgress,
  resolveInProgress,
} from './in-progress.ts';

/** Options of `createEngine`. */
export interface EngineOptions<Transaction> {
  /** Where records live. */
  store: Store | TransactionalStore<Transaction>;
  /**
   * Says that losing a key, and so executing a mutation twice, is acceptable when the store
   * crashes.
   *
   * Needed for every effect but `natural` on a store that is not durable, such as memory, or
   * Redis as it is usually set up. Without it such a mutation is refused when it is declared.
   *
   * @defaultValue `false`
   */
  acceptLoss?: boolean;
  /**
   * How long an attempt may stay silent before it is taken for dead. It is renewed while the
   * handler runs, so it need not be as long as the handler; longer means that a key stays
   * blocked for longer after a crash.
   *
   * @defaultValue `30_000`
   */
  leaseMs?: number;
  /**
   * How long a handler may run at all. Then its signal is aborted and its lease runs out.
   *
   * @defaultValue `600_000` (ten minutes)
   */
  maxExecutionMs?: number;
  /**
   * How often one intent may be executed before it is left to an operator as unknown: a mutation
   * that kills its process would otherwise do so for ever. Not counted for `atomic`, of which a
   * failed attempt leaves nothing behind.
   *
   * @defaultValue `50`
   */
  maxAttempts?: number;
  /** What a duplicate gets while another attempt executes. @defaultValue `'conflict'` */
  inProgress?: InProgressOptions;
  /**
   * - `ietf`: a reused key is 422, and an error that is not declared is not replayed.
   * - `stripe`: a reused key is 400, and once execution has begun every error is replayed.
   *
   * @defaultValue `'ietf'`
   */
  profile?: 'ietf' | 'stripe';
  /**
   * Which keys are accepted.
   *
   * An opaque key has no time in it, so a forgotten one cannot be recognised: it needs
   * `keyRetentionMs: Infinity`, or `expired: 'execute'` to accept that it executes again.
   *
   * @defaultValue `'uuid-v7'`
   */
  keyFormat?: KeyFormat;
  /**
   * What happens to a key that is older than `keyRetentionMs`.
   *
   * `execute` can execute a mutation twice. It is refused for UUID v7 keys unless the effect is
   * `natural`; for opaque keys it is what Stripe does.
   *
   * @defaultValue `'refuse'`
   */
  expired?: 'refuse' | 'execute';
  /** How long an answer can be replayed. @defaultValue `86_400_000` (24 hours) */
  answerRetentionMs?: number;
  /**
   * How long a key is remembered, counted from its own time; at least as long as its answer.
   * A client must not retry for longer.
   *
   * Raising it does not bring back keys that were pruned before: let clients go on with the
   * shorter window until the longer one has passed.
   *
   * @defaultValue `604_800_000` (seven days)
   */
  keyRetentionMs?: number;
  /**
   * How far the clocks of clients, servers and store may differ. A key from further in the future
   * is refused. @defaultValue `300_000` (five minutes)
   */
  maxClockSkewMs?: number;
  /**
   * Larger answers are delivered once and not stored: duplicates get 410, and the mutation still
   * happens once. @defaultValue `1_048_576` (1 MiB)
   */
  maxAnswerBytes?: number;
  /** How long the store may take before an attempt is refused with 503. @defaultValue `5_000` */
  storeTimeoutMs?: number;
  /** When a client should ask again about an unknown outcome. @defaultValue `30_000` */
  unknownRetryAfterMs?: number;
  /** When a client should come back after the store failed. @defaultValue `1_000` */
  storeRetryAfterMs?: number;
  /** Secrets behind the fingerprints of inputs. */
  fingerprint?: FingerprintOptions;
  /** Encrypts stored answers with AES-256-GCM, bound to their scope, key and operation. */
  encryption?: EncryptionOptions;
  /** Bounds what one scope may start, in this process. @defaultValue no bounds */
  quota?: QuotaOptions;
  /** Metrics, tracing and rate limits. */
  hooks?: EngineHooks;
  /** For tests: named fault points. */
  probe?: Probe;
  /** For tests. @defaultValue the clock of this process */
  clock?: Clock;
}

/** Every option, filled in and checked. Nothing after this writes `??` again. */
export interface ResolvedEngineOptions {
  readonly store: Store;
  readonly acceptLoss: boolean;
  readonly leaseMs: number;
  readonly maxExecutionMs: number;
  readonly maxAttempts: number;
  readonly inProgress: ResolvedInProgress;
  readonly profile: 'ietf' | 'stripe';
  readonly keyFormat: KeyFormat;
  readonly expired: 'refuse' | 'execute';
  readonly answerRetentionMs: number;
  readonly keyRetentionMs: number;
  readonly maxClockSkewMs: number;
  readonly maxAnswerBytes: number;
  readonly storeTimeoutMs: number;
  readonly unknownRetryAfterMs: number;
  readonly storeRetryAfterMs: number;
  readonly fingerprinter: Fingerprinter;
  readonly cipher: AnswerCipher | undefined;
  readonly quota: ScopeQuota | undefined;
  readonly hooks: EngineHooks;
  /** Asked for before every point: what nobody watches is not waited for. */
  readonly probe: Probe | undefined;
  readonly clock: Clock;
}

export function resolveEngineOptions<Transaction>(
  options: EngineOptions<Transaction>,
): ResolvedEngineOptions {
  const clock = options.clock ?? systemClock;
  return {
    store: checkStore(options.store),
    acceptLoss: options.acceptLoss ?? false,
    leaseMs: timerMs('leaseMs', options.leaseMs ?? 30_000),
    maxExecutionMs: timerMs('maxExecutionMs', options.maxExecutionMs ?? 600_000),
    maxAttempts: positiveInteger('maxAttempts', options.maxAttempts ?? 50),
    inProgress: resolveInProgress(options.inProgress ?? 'conflict'),
    profile: oneOf('profile', options.profile ?? 'ietf', ['ietf', 'stripe']),
    keyFormat: oneOf('keyFormat', options.keyFormat ?? 'uuid-v7', ['uuid-v7', 'opaque']),
    expired: oneOf('expired', options.expired ?? 'refuse', ['refuse', 'execute']),
    answerRetentionMs: retentionMs('answerRetentionMs', options.answerRetentionMs ?? 86_400_000),
    keyRetentionMs: retentionMs('keyRetentionMs', options.keyRetentionMs ?? 604_800_000),
    maxClockSkewMs: positiveMs('maxClockSkewMs', options.maxClockSkewMs ?? 300_000),
    maxAnswerBytes: positiveInteger('maxAnswerBytes', options.maxAnswerBytes ?? 1_048_576),
    storeTimeoutMs: timerMs('storeTimeoutMs', options.storeTimeoutMs ?? 5_000),
    unknownRetryAfterMs: positiveMs('unknownRetryAfterMs', options.unknownRetryAfterMs ?? 30_000),
    storeRetryAfterMs: positiveMs('storeRetryAfterMs', options.storeRetryAfterMs ?? 1_000),
    fingerprinter: createFingerprinter(options.fingerprint ?? {}, {
      late: takesLate(options.store),
    }),
    cipher: options.encryption && createAnswerCipher(options.encryption),
    quota: options.quota && createScopeQuota(options.quota, clock),
    hooks: options.hooks ?? {},
    probe: options.probe,
    clock,
  };
}

/** Not of whoever stands in front of it, who may send requests elsewhere, or copy them. */
function takesLate(store: Store): boolean {
  return Object.getPrototypeOf(store) === MemoryStore.prototype;
}

function checkStore(store: Store): Store {
  const isStore = typeof (store as Partial<Store> | undefined)?.reserve === 'function';
  if (isStore) return store;
  throw new TypeError('Expected `store` to be a store, such as postgresStore(pool)');
}
