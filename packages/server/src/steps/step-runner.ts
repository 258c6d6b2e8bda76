import { deriveKey, type IdempotencyKey } from '@onceward/core';
import { asCurrentIntent, sha256 } from '../ambient/ambient-intent.ts';
import { jsonCodec } from '../answers/answer-codec.ts';
import type { AnswerPlace, AnswerCipher } from '../answers/answer-cipher.ts';
import { decodeSteps, encodeStep, type StepEntry } from './step-log.ts';

/**
 * Runs a named part of a mutation, or returns what an earlier attempt already made of it. With
 * `step.transaction`, where the store has transactions, the part and its record commit together.
 */
export type Step<Transaction = never> = OutsideStep &
  ([Transaction] extends [never] ? unknown : TransactionStep<Transaction>);

/**
 * A call to something outside. The value must survive JSON. At most one outside effect belongs in a
 * step; give the service you call `downstreamKey`, which is the same on every attempt, so that a
 * step that was cut off between its effect and its record does not take effect twice.
 */
export type OutsideStep = <T>(
  name: string,
  run: (context: StepContext) => T | Promise<T>,
) => Promise<T>;

/** Steps that are transactions, on a store that has them. */
export interface TransactionStep<Transaction> {
  /**
   * A write to the database that holds the records, through `tx`. It took effect exactly if it is
   * recorded as done, even when the process dies at any moment.
   */
  transaction<T>(
    name: string,
    run: (context: TransactionStepContext<Transaction>) => T | Promise<T>,
  ): Promise<T>;
}

/** What a step gets. */
export interface StepContext {
  /** A child of the intent's key, for services that take idempotency keys themselves. */
  readonly downstreamKey: IdempotencyKey;
  readonly signal: AbortSignal;
}

/** What a step gets that is a transaction. */
export interface TransactionStepContext<Transaction> extends StepContext {
  /** What the driver calls a transaction. It is not yours to commit. */
  readonly tx: Transaction;
}

export interface StepRunnerOptions {
  readonly place: AnswerPlace & { readonly key: IdempotencyKey };
  readonly signal: AbortSignal;
  /** From the reservation. */
  readonly progress: Uint8Array;
  readonly maxValueBytes: number;
  /** Values are sealed like answers, each bound to its step. */
  readonly cipher: AnswerCipher | undefined;
  /** Throws when the right to execute may have been lost. */
  readonly assertTrusted: () => void;
  /** Makes an entry durable. Rejects when the lease is lost. */
  readonly save: (entry: Uint8Array) => Promise<void>;
  /**
   * Makes an entry durable together with what is written through the transaction. Rejects when the
   * lease is lost, or the store has no transactions.
   */
  readonly transact: (run: (tx: unknown) => Promise<Uint8Array>) => Promise<void>;
}

export interface StepRunner {
  readonly step: Step<unknown>;
  /** Throws when an earlier attempt finished a step that this one never asked for. */
  assertAllVisited(): void;
  /** Starts no more steps, and waits for those that still run. */
  close(): Promise<void>;
}

/** Remembers the steps of one intent across its attempts. */
export function createStepRunner(options: StepRunnerOptions): StepRunner {
  const finished = new Map(decodeSteps(options.progress).map((entry) => [entry.name, entry]));
  const visited = new Set<string>();

  const running = new Set<Promise<unknown>>();
  let closed = false;

  /** What an earlier attempt made of a step, or else what `begin` makes of it now. */
  const takeStep = async <T>(name: string, begin: (begun: BegunStep) => Promise<T>): Promise<T> => {
    const ordinal = visited.size;
    checkName(name);
    if (closed) throw new TypeError(`Step '${name}' was started after its mutation had ended`);
    if (visited.has(name)) throw new TypeError(`Two steps of one mutation are named '${name}'`);
    visited.add(name);
    refuseReordered(finished, name, ordinal);

    const entry = finished.get(name);
    if (entry) return recall(entry, options) as T;
    options.assertTrusted();
    return begin({ ordinal, name });
  };

  const callOutside = async <T>(
    begun: BegunStep,
    run: (context: StepContext) => T | Promise<T>,
  ): Promise<T> => {
    const value = await runAsStep(begun.name, run, options);
    const encoded = encodeValue(begun.name, value, options);
    await options.save(encodeStep({ ...begun, value: encoded }));
    if (!encoded) throw lostValue(begun.name);
    return value;
  };

  const transact = async <T>(
    begun: BegunStep,
    run: (context: TransactionStepContext<unknown>) => T | Promise<T>,
  ): Promise<T> => {
    let value: T | undefined;
    await options.transact(async (tx) => {
      value = await runAsStep(begun.name, (context) => run({ ...context, tx }), options);
      const encoded = encodeValue(begun.name, value, options);
      // Nothing is committed yet, so nothing is lost.
      if (!encoded) throw unkeepableValue(begun.name);
      return encodeStep({ ...begun, value: encoded });
    });
    return value as T;
  };

  const untilClosed = <T>(taken: Promise<T>): Promise<T> => {
    const ended = taken.then(ignore, ignore).finally(() => running.delete(ended));
    running.add(ended);
    return taken;
  };

  const step: Step<unknown> = Object.assign(
    <T>(name: string, run: (context: StepContext) => T | Promise<T>) =>
      untilClosed(takeStep(name, (begun) => callOutside(begun, run))),
    {
      transaction: <T>(
        name: string,
        run: (context: TransactionStepContext<unknown>) => T | Promise<T>,
      ) => untilClosed(takeStep(name, (begun) => transact(begun, run))),
    },
  );

  return {
    step,
    assertAllVisited() {
      const missed = [...finished.keys()].find((name) => !visited.has(name));
      if (missed !== undefined) {
        throw new TypeError(
          `An earlier attempt finished step '${missed}', which is gone. Keep a step, or its ` +
            'name, until no intent that started before the change can be retried',
        );
      }
    },
    async close() {
      closed = true;
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** A step that no earlier attempt has finished. */
interface BegunStep {
  readonly ordinal: number;
  readonly name: string;
}

/** As the current intent: what it calls through a client of this kit carries a key of this step. */
async function runAsStep<T>(
  name: string,
  run: (context: StepContext) => T | Promise<T>,
  { place, signal }: StepRunnerOptions,
): Promise<T> {
  const downstreamKey = deriveKey(place.key, ['step', place.scope, name], sha256);
  return asCurrentIntent(place, () => run({ downstreamKey, signal }), { step: name });
}

function ignore(): void {}

/** Before the step runs: what cannot be recorded must not take effect. */
function checkName(name: string): void {
  if (typeof name === 'string' && /^[^\0\p{Surrogate}]{1,200}$/u.test(name)) return;
  throw new TypeError('Expected the name of a step to be 1 to 200 characters of well-formed text');
}

/** A step that moved or was renamed would be skipped or run twice. */
function refuseReordered(
  finished: ReadonlyMap<string, StepEntry>,
  name: string,
  ordinal: number,
): void {
  const before = [...finished.values()].find((entry) => entry.ordinal === ordinal);
  const moved = finished.get(name)?.ordinal ?? ordinal;
  if ((!before || before.name === name) && moved === ordinal) return;
  throw new TypeError(
    `Step ${ordinal + 1} is '${name}' now, but an earlier attempt finished '${before?.name ?? name}' ` +
      `as step ${(before?.ordinal ?? moved) + 1}. Steps may be added at the end, not moved or renamed`,
  );
}

function recall({ name, value }: StepEntry, { cipher, place }: StepRunnerOptions): unknown {
  if (!value) throw lostValue(name);
  return jsonCodec.decode(cipher ? cipher.decrypt(value, placeOf(name, place)) : value);
}

/** `undefined` when the value cannot be kept; that it cannot is recorded all the same. */
function encodeValue(
  name: string,
  value: unknown,
  { maxValueBytes, cipher, place }: StepRunnerOptions,
): Uint8Array | undefined {
  try {
    const bytes = jsonCodec.encode(value);
    if (bytes.length > maxValueBytes) return undefined;
    return cipher ? cipher.encrypt(bytes, placeOf(name, place)) : bytes;
  } catch {
    return undefined;
  }
}

function placeOf(name: string, { scope, key, operation }: AnswerPlace): AnswerPlace {
  return { scope, key, operation: JSON.stringify([operation, name]) };
}

function unkeepableValue(name: string): TypeError {
  return new TypeError(
    `The value of step '${name}' is too large or has no JSON form, so the step was rolled back. ` +
      'Return less from it',
  );
}

function lostValue(name: string): TypeError {
  return new TypeError(
    `Step '${name}' took effect, but its value is too large or has no JSON form. Return less from it`,
  );
}
