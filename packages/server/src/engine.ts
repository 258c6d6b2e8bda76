import type { Awaitable, RecordName, RecordState } from '@onceward/core/store';
import type { AttemptContext, Execute } from './attempts/attempt-context.ts';
import type { Effect } from './effect.ts';
import type { Intent } from './intent.ts';
import { intentStatus } from './intent-status.ts';
import type { Resolve } from './reconcile/resolve.ts';
import { type Evidence, settleIntent, settleRecord } from './settle-intent.ts';
import { startEngine } from './engine-runtime.ts';
import { type EngineOptions, resolveEngineOptions } from './options/engine-options.ts';
import {
  type MutationOptions,
  type ResolvedMutation,
  resolveMutationOptions,
} from './options/mutation-options.ts';
import { type Opening, openIntent } from './open-intent.ts';
import { type IntentResult, runIntent } from './run-intent.ts';

/** Runs mutations once per intent, against one store. */
export interface Engine<Transaction> {
  /** Declares a mutation. Throws when what it declares could duplicate an effect. */
  mutation<DeclaredEffect extends EffectOn<Transaction>>(
    options: MutationOptions<DeclaredEffect>,
  ): Mutation<DeclaredEffect, Transaction>;
  /**
   * Rejects when the store is set up in a way that breaks a promise. Call it at start-up to hear
   * of it there; otherwise the first mutation does, and is refused.
   */
  ready(): Promise<void>;
}

/** `atomic` needs a store with transactions; the type says so before the engine does. */
export type EffectOn<Transaction> = [Transaction] extends [never]
  ? Exclude<Effect, 'atomic'>
  : Effect;

/** A mutation that an engine runs once per intent. */
export interface Mutation<DeclaredEffect extends Effect, Transaction> {
  readonly operation: string;
  readonly effect: DeclaredEffect;
  /** Executes the intent, or replays its outcome; a stored business error is thrown again. */
  runOnce<Value>(
    intent: Intent,
    execute: Handler<Value, DeclaredEffect, Transaction>,
  ): Promise<RunResult<Value>>;
  /** As `runOnce`, with business errors as values: for adapters, which answer both alike. */
  resultOnce<Value>(
    intent: Intent,
    execute: Handler<Value, DeclaredEffect, Transaction>,
  ): Promise<IntentResult<Value>>;
  /**
   * As `resultOnce`, for adapters whose server executes between two hooks. `undefined` when this
   * mutation, or this key, needs a handler: call `resultOnce` then, for nothing has been executed.
   * An intent that was opened and never ended keeps its lease until its time is up. Answers without a
   * promise where nothing has to be waited for; a refusal always rejects.
   */
  openOnce(intent: Intent): Awaitable<Opening>;
  /**
   * How far an intent is, for a status operation beside `inProgress: 'accepted'`. To get its
   * answer, send it again. An `atomic` one is absent until it commits.
   */
  status(intent: Omit<Intent, 'input'>): Promise<RecordState | 'absent'>;
  /** Decides an unknown outcome on evidence: a webhook, a look-up at the provider, an operator. */
  settle(
    intent: Omit<Intent, 'input'>,
    evidence: Evidence,
  ): Promise<'settled' | 'not-unknown' | 'too-soon'>;
  /** As it was declared, for a reconciler. */
  readonly resolve: Resolve | undefined;
  /** As `settle`, for whoever has the record's name from the store, as a reconciler has. */
  settleRecord(
    name: RecordName,
    evidence: Evidence,
  ): Promise<'settled' | 'not-unknown' | 'too-soon'>;
}

/** What a mutation does when the store granted it. */
export type Handler<Value, DeclaredEffect extends Effect, Transaction> = (
  context: AttemptContext<DeclaredEffect, Transaction>,
) => Value | Promise<Value>;

/** What an intent came to. */
export interface RunResult<Value> {
  readonly value: Value;
  /** True when an earlier attempt made the value and nothing was executed now. */
  readonly replayed: boolean;
  /** Until when the same key gets the same answer; absent when it cannot be given again. */
  readonly answerExpiresAt?: number;
}

/**
 * Makes an engine.
 *
 * @example
 * ```ts
 * const engine = createEngine({ store: postgresStore(pool) });
 * const pay = engine.mutation({ operation: 'pay', effect: 'atomic' });
 *
 * const { value, replayed } = await pay.runOnce({ scope: user.id, key, input }, ({ tx }) =>
 *   tx.query('insert into payments …'),
 * );
 * ```
 */
export function createEngine<Transaction = never>(
  options: EngineOptions<Transaction>,
): Engine<Transaction> {
  const engine = startEngine(resolveEngineOptions(options));
  return {
    ready: () => engine.verifyStore(),
    mutation: (declared) =>
      new DeclaredMutation(declared.effect, resolveMutationOptions(declared, engine)),
  };
}

class DeclaredMutation<DeclaredEffect extends Effect, Transaction> implements Mutation<
  DeclaredEffect,
  Transaction
> {
  readonly effect: DeclaredEffect;
  readonly #mutation: ResolvedMutation;

  constructor(effect: DeclaredEffect, mutation: ResolvedMutation) {
    this.effect = effect;
    this.#mutation = mutation;
  }

  get operation(): string {
    return this.#mutation.operation;
  }

  resultOnce<Value>(
    intent: Intent,
    execute: Handler<Value, DeclaredEffect, Transaction>,
  ): Promise<IntentResult<Value>> {
    // Two casts where types end: the store hands out the transaction, the codec the value.
    const running = runIntent(intent, execute as Execute, this.#mutation);
    return running as Promise<IntentResult<Value>>;
  }

  openOnce(intent: Intent): Awaitable<Opening> {
    return openIntent(intent, this.#mutation);
  }

  async runOnce<Value>(
    intent: Intent,
    execute: Handler<Value, DeclaredEffect, Transaction>,
  ): Promise<RunResult<Value>> {
    const { result, ...rest } = await this.resultOnce(intent, execute);
    if (result.kind === 'failure') throw result.error;
    return { value: result.value, ...rest };
  }

  status({ scope, key }: Omit<Intent, 'input'>): Promise<RecordState | 'absent'> {
    return intentStatus({ scope, key }, this.#mutation);
  }

  settle(
    intent: Omit<Intent, 'input'>,
    evidence: Evidence,
  ): Promise<'settled' | 'not-unknown' | 'too-soon'> {
    return settleIntent(intent, evidence, this.#mutation);
  }

  get resolve(): Resolve | undefined {
    return this.#mutation.resolve;
  }

  settleRecord(
    name: RecordName,
    evidence: Evidence,
  ): Promise<'settled' | 'not-unknown' | 'too-soon'> {
    return settleRecord(name, evidence, this.#mutation);
  }
}
