import type { StaleLeasePolicy } from '@onceward/core/store';
import { type AnswerFormat, createAnswerFormat } from '../answers/answer-format.ts';
import { type AnswerCodec, jsonTextCodec } from '../answers/answer-codec.ts';
import { type Effect, effectPolicies, type ErrorClass } from '../effect.ts';
import { oneOf, positiveInteger, retentionMs, timerMs } from './check-option.ts';
import { TimerQueue } from '../attempts/timer-queue.ts';
import type { EngineRuntime } from '../engine-runtime.ts';
import {
  type InProgressOptions,
  type ResolvedInProgress,
  resolveInProgress,
} from './in-progress.ts';
import type { Resolve } from '../reconcile/resolve.ts';
import { refuseUnsafe } from './refuse-unsafe.ts';

/** Options of one mutation. */
export interface MutationOptions<DeclaredEffect extends Effect = Effect> {
  /** Names the mutation in fingerprints, records and metrics. Renaming it makes old keys 422. */
  operation: string;
  /** What the handler touches. Everything else follows from it. */
  effect: DeclaredEffect;
  /**
   * `optional`: without a key the mutation is executed unprotected.
   * @defaultValue `'required'`
   */
  key?: 'required' | 'optional';
  /**
   * Decides what an error of the handler means. `undefined` leaves it to the effect.
   *
   * Answer `release` only for errors that prove that nothing happened.
   */
  classifyError?: (error: unknown) => ErrorClass | undefined;
  /** The fields of the input that make two requests the same. @defaultValue the whole input */
  select?: (input: unknown) => unknown;
  /**
   * Overrides what happens when an attempt dies. `external` allows `re-execute` only together
   * with `outsideCallsCarryKeys`.
   */
  onStaleLease?: StaleLeasePolicy;
  /**
   * Says that every outside call of this mutation carries a key derived from the intent's, and
   * that the other side honours it.
   */
  outsideCallsCarryKeys?: boolean;
  /**
   * What the store must survive for this mutation to be allowed on it.
   * @defaultValue `durable`, unless the effect is `natural` or the engine has `acceptLoss`
   */
  requires?: StoreRequirement;
  /**
   * Finds out what became of an attempt whose outcome is unknown, for a reconciler.
   * @defaultValue none: only `settle` decides
   */
  resolve?: Resolve;
  /** How values and business errors become bytes or text. @defaultValue JSON */
  codec?: AnswerCodec;
  /** The schema version of the answers, from 1 to 65535. Raise it when their shape changes. */
  answerVersion?: number;
  /**
   * Turns values of older versions into today's; a version without one is 410, never a re-run.
   * Stored errors have no versions.
   */
  decoders?: Readonly<Record<number, (value: unknown) => unknown>>;
  leaseMs?: number;
  inProgress?: InProgressOptions;
  answerRetentionMs?: number;
  keyRetentionMs?: number;
  maxAnswerBytes?: number;
}

/**
 * - `nothing`: a lost key is acceptable.
 * - `durable`: an acknowledged write survives a crash of the store.
 * - `failover-safe`: it also survives a fail-over.
 */
export type StoreRequirement = 'nothing' | 'durable' | 'failover-safe';

export interface ResolvedMutation {
  readonly engine: EngineRuntime;
  readonly operation: string;
  readonly effect: Effect;
  readonly keyRequired: boolean;
  readonly classifyError: (error: unknown) => ErrorClass | undefined;
  readonly select: ((input: unknown) => unknown) | undefined;
  readonly onStaleLease: StaleLeasePolicy;
  readonly outsideCallsCarryKeys: boolean;
  readonly requires: StoreRequirement;
  readonly resolve: Resolve | undefined;
  readonly answers: AnswerFormat;
  readonly leaseMs: number;
  readonly inProgress: ResolvedInProgress;
  readonly answerRetentionMs: number;
  readonly keyRetentionMs: number;
  readonly maxAnswerBytes: number;
  /** A handler that runs for longer has its lease renewed. */
  readonly quickHandlerMs: number;
  /** Those that have not run for that long. */
  readonly quickHandlers: TimerQueue;
}

/** Fills in and checks what a mutation declares; refuses what could duplicate an effect. */
export function resolveMutationOptions(
  options: MutationOptions,
  engine: EngineRuntime,
): ResolvedMutation {
  const effects = ['atomic', 'steps', 'external', 'natural'] as const;
  const effect = oneOf('effect', options.effect, effects);
  const maxBytes = options.maxAnswerBytes ?? engine.maxAnswerBytes;
  const leaseMs = timerMs('leaseMs', options.leaseMs ?? engine.leaseMs);
  const quickHandlerMs = leaseMs / 3;
  const mutation: ResolvedMutation = {
    engine,
    operation: checkOperation(options.operation),
    effect,
    keyRequired: oneOf('key', options.key ?? 'required', ['required', 'optional']) === 'required',
    classifyError: options.classifyError ?? (() => undefined),
    select: options.select,
    onStaleLease: oneOf(
      'onStaleLease',
      options.onStaleLease ?? effectPolicies[effect].onStaleLease,
      ['re-execute', 'unknown'],
    ),
    outsideCallsCarryKeys: options.outsideCallsCarryKeys ?? false,
    requires: oneOf('requires', options.requires ?? defaultRequirement(effect, engine), [
      'nothing',
      'durable',
      'failover-safe',
    ]),
    resolve: options.resolve,
    answers: createAnswerFormat({
      codec: options.codec ?? jsonTextCodec,
      version: checkVersion(options.answerVersion ?? 1),
      decoders: options.decoders ?? {},
      maxBytes: positiveInteger('maxAnswerBytes', maxBytes),
      cipher: engine.cipher,
    }),
    leaseMs,
    inProgress:
      options.inProgress === undefined ? engine.inProgress : resolveInProgress(options.inProgress),
    answerRetentionMs: retentionMs(
      'answerRetentionMs',
      options.answerRetentionMs ?? engine.answerRetentionMs,
    ),
    keyRetentionMs: retentionMs('keyRetentionMs', options.keyRetentionMs ?? engine.keyRetentionMs),
    maxAnswerBytes: maxBytes,
    quickHandlerMs,
    // A lease that is renewed late is lost.
    quickHandlers: new TimerQueue(engine.clock, quickHandlerMs, { catchUp: true }),
  };
  refuseUnsafe(mutation);
  return mutation;
}

function defaultRequirement(effect: Effect, engine: EngineRuntime): StoreRequirement {
  return effect === 'natural' || engine.acceptLoss ? 'nothing' : 'durable';
}

function checkOperation(operation: string): string {
  // The store keeps it as text: no NUL, and short enough for a row that is read in passing.
  if (typeof operation === 'string' && /^[\x21-\x7e]{1,200}$/.test(operation)) return operation;
  throw new TypeError('Expected `operation` to be 1 to 200 printable ASCII characters, no spaces');
}

function checkVersion(version: number): number {
  if (Number.isInteger(version) && version >= 1 && version <= 65_535) return version;
  throw new TypeError('Expected `answerVersion` to be a whole number from 1 to 65535');
}
