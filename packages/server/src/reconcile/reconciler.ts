import { type Clock, systemClock } from '@onceward/core';
import type { ReconcilingStore } from '@onceward/core/store';
import type { Effect } from '../effect.ts';
import type { Mutation } from '../engine.ts';
import { emit } from '../hooks/emit.ts';
import type { EngineHooks } from '../hooks/engine-hooks.ts';
import { repeat, type Schedule } from '../maintenance/repeat.ts';
import { positiveInteger, timerMs } from '../options/check-option.ts';
import { type LookedInto, lookInto } from './look-into.ts';

/** Options of `createReconciler`. */
export interface ReconcilerOptions {
  /** Where the records are. Stores without a list of unknown records are refused. */
  store: ReconcilingStore;
  /** Declared on an engine with that store. Those with `resolve` are looked into. */
  mutations: Iterable<ResolvableMutation>;
  /** How often unknown records are looked for. @defaultValue `60_000` (a minute) */
  everyMs?: number;
  /** How long one look may take. @defaultValue `30_000` */
  lookMs?: number;
  /** How many are looked into at a time. @defaultValue `5` */
  concurrency?: number;
  /** After so many looks without a finding, a record is left to operators. @defaultValue `20` */
  maxLooks?: number;
  /** Before the second look; doubles with each one after it. @defaultValue `30_000` */
  firstDelayMs?: number;
  /** @defaultValue `21_600_000` (six hours) */
  maxDelayMs?: number;
  /** Written to the audit trail beside what was found. @defaultValue `'reconciler'` */
  actor?: string;
  /** Gets `lookup-started`, `outcome-settled`, `lookup-failed` and `store-failed`. */
  hooks?: EngineHooks;
  /** For tests. @defaultValue the clock of this process */
  clock?: Clock;
  /** For tests. @defaultValue `Math.random` */
  random?: () => number;
}

/** A mutation of an engine, as far as a reconciler needs it. */
export type ResolvableMutation = Pick<
  Mutation<Effect, unknown>,
  'operation' | 'resolve' | 'settleRecord'
>;

/** Looks into unknown outcomes, by itself or when it is told to. */
export interface Reconciler extends AsyncDisposable {
  /** Looks into everything that is due, and says how often it ended in which way. */
  run(): Promise<ReconcileReport>;
  /** Does so from time to time, without keeping the process alive. */
  start(): void;
  /** Ends the schedule, and waits for the looks that are under way: no other is begun. */
  stop(): Promise<void>;
}

/** How many outcomes were looked into, by what came of it. */
export type ReconcileReport = Readonly<Record<LookedInto, number>>;

/**
 * Asks `resolve` of each mutation what became of its unknown outcomes, and settles them by what it
 * says. Any number of processes may do so at once: each record is handed to one of them.
 *
 * @example
 * ```ts
 * const pay = engine.mutation({
 *   operation: 'pay',
 *   effect: 'external',
 *   async resolve({ key }) {
 *     const charge = await bank.chargeWithReference(key);
 *     if (charge) return { kind: 'executed', value: { chargeId: charge.id } };
 *     return { kind: 'not-executed', quietMs: 15 * 60_000 };
 *   },
 * });
 * createReconciler({ store, mutations: [pay] }).start();
 * ```
 */
export function createReconciler(options: ReconcilerOptions): Reconciler {
  const { store, hooks = {}, clock = systemClock, actor = 'reconciler' } = options;
  // Only spreads looks over time; whoever guesses it gains nothing.
  // eslint-disable-next-line no-restricted-properties
  const { random = Math.random } = options;
  const everyMs = timerMs('everyMs', options.everyMs ?? 60_000);
  const lookMs = timerMs('lookMs', options.lookMs ?? 30_000);
  const limit = positiveInteger('concurrency', options.concurrency ?? 5);
  const mutations = resolvable(options);
  const tools = {
    ...{ store, mutations, hooks, clock, actor, random, lookMs },
    maxLooks: positiveInteger('maxLooks', options.maxLooks ?? 20),
    firstDelayMs: timerMs('firstDelayMs', options.firstDelayMs ?? 30_000),
    maxDelayMs: timerMs('maxDelayMs', options.maxDelayMs ?? 21_600_000),
  };
  const operations = [...mutations.keys()];
  let schedule: Schedule | undefined;

  /** Counted, because one that was stopped may run again. */
  let stops = 0;

  const run = async () => {
    const report = { settled: 0, unsure: 0, failed: 0, dead: 0, gone: 0 };
    for (const before = stops; ;) {
      const taken = await store.takeUnknown({ limit, leaseMs: lookMs, operations });
      const ends = await Promise.all(taken.map((record) => lookInto(record, tools)));
      for (const end of ends) report[end] += 1;
      if (taken.length < limit || stops !== before) return report;
    }
  };
  const report = (cause: unknown) =>
    emit({ hooks }, { kind: 'store-failed', store: store.name, cause });
  const stop = async () => {
    stops++;
    await schedule?.stop();
    schedule = undefined;
  };
  return {
    run,
    start: () => void (schedule ??= repeat(() => run().catch(report), everyMs, clock)),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function resolvable({ store, mutations }: ReconcilerOptions) {
  if (typeof (store as Partial<ReconcilingStore>).takeUnknown !== 'function') {
    throw new TypeError(
      `Expected \`store\` to keep a list of unknown records, and ${store.name} keeps none: settle ` +
        'them with `settle` of the mutation, from a webhook or by hand',
    );
  }
  const byOperation = new Map(
    [...mutations].filter(({ resolve }) => resolve).map((each) => [each.operation, each] as const),
  );
  if (byOperation.size > 0) return byOperation;
  throw new TypeError('Expected one of `mutations` to have `resolve`, or there is nobody to ask');
}
