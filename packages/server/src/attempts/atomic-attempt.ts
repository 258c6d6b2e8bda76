import type {
  AtomicDecision,
  AtomicResult,
  NotReserved,
  ReserveRequest,
  TransactionalStore,
} from '@onceward/core/store';
import { asCurrentIntent } from '../ambient/ambient-intent.ts';
import type { Result } from '../answers/answer-book.ts';
import { classifyError } from '../classify-error.ts';
import { emit } from '../hooks/emit.ts';
import { trace } from '../hooks/trace.ts';
import type { ResolvedMutation } from '../options/mutation-options.ts';
import { admit } from './admit.ts';
import type { Execute } from './attempt-context.ts';
import { storeUnavailable } from './call-store.ts';
import { createDeadline } from './deadline.ts';
import type { Ran } from './leased-attempt.ts';

/**
 * Executes in the transaction in which the key completes.
 *
 * There is no lease and no doubt: whatever goes wrong before the commit is rolled back by the
 * database, even when this process dies.
 */
export async function attemptAtomic(
  request: ReserveRequest,
  execute: Execute,
  mutation: ResolvedMutation,
): Promise<Ran | NotReserved> {
  const { engine, operation, effect } = mutation;
  const startedAt = engine.clock.now();
  const run = new AtomicRun(request, execute, mutation);
  await engine.probe('before-reserve');
  const answer = await trace(mutation, { name: 'idempotency.execute', request }, () =>
    run.transact(),
  );

  const facts = { operation, effect, durationMs: engine.clock.now() - startedAt };
  if (answer.kind === 'committed') {
    emit(engine, { kind: 'attempt-completed', ...facts });
    return { kind: 'ran', result: run.committedResult() };
  }
  if (answer.kind === 'rolled-back') {
    emit(engine, { kind: 'attempt-released', ...facts });
    throw run.rolledBackBecause(answer.cause);
  }
  if (run.entered) emit(engine, { kind: 'attempt-fenced', ...facts });
  return answer;
}

/** What became of the handler, before the fate of the transaction is known. */
type Conclusion =
  | { readonly kind: 'not-entered' }
  /** It has an answer, good if the transaction commits. */
  | { readonly kind: 'answered'; readonly result: Result }
  /** It is rolled back on purpose, and the caller gets this error. */
  | { readonly kind: 'gave-up'; readonly error: unknown };

/** One pass through the store's `transact`, with what must be remembered on the way. */
class AtomicRun {
  #conclusion: Conclusion = { kind: 'not-entered' };
  readonly #request: ReserveRequest;
  readonly #execute: Execute;
  readonly #mutation: ResolvedMutation;

  constructor(request: ReserveRequest, execute: Execute, mutation: ResolvedMutation) {
    this.#request = request;
    this.#execute = execute;
    this.#mutation = mutation;
  }

  get entered(): boolean {
    return this.#conclusion.kind !== 'not-entered';
  }

  committedResult(): Result {
    if (this.#conclusion.kind === 'answered') return this.#conclusion.result;
    throw new Error(`${this.#mutation.engine.store.name} committed what was not decided`);
  }

  rolledBackBecause(cause: unknown): unknown {
    if (this.#conclusion.kind === 'gave-up') return this.#conclusion.error;
    // The handler was content, but the commit was not: a deferred constraint, for example.
    if (cause !== undefined) return cause;
    return storeUnavailable(this.#mutation.engine, new Error('The commit did not happen'));
  }

  async transact(): Promise<AtomicResult> {
    const { engine } = this.#mutation;
    const store = engine.store as TransactionalStore<unknown>;
    // The handler may take its time; the store may not, neither before it nor after it.
    const deadline = createDeadline(engine);
    const transaction = store.transact(this.#request, async (tx, attempt) => {
      if (deadline.passed()) return { kind: 'roll-back' };
      deadline.pause();
      const decision = await this.#decide(tx, attempt);
      deadline.resume();
      return decision;
    });
    try {
      return await deadline.race(transaction);
    } catch (cause) {
      throw storeUnavailable(engine, cause);
    }
  }

  async #decide(tx: unknown, attempt: number): Promise<AtomicDecision> {
    const { engine, operation, effect } = this.#mutation;
    const timeLimit = new AbortController();
    const cancel = engine.clock.setTimer(
      () => timeLimit.abort(new Error('The mutation ran for longer than maxExecutionMs')),
      engine.maxExecutionMs,
    );
    try {
      await engine.probe('after-reserve');
      await admit(this.#request, this.#mutation);
      emit(engine, { kind: 'attempt-started', operation, effect, attempt });
      await engine.probe('before-execute');
      const result = await this.#result({ attempt, signal: timeLimit.signal, tx });
      await engine.probe('after-execute');
      return await this.#keep(result);
    } catch (error) {
      this.#conclusion = { kind: 'gave-up', error };
      return { kind: 'roll-back' };
    } finally {
      cancel();
    }
  }

  /** A business error is a result; any other error is thrown on. */
  async #result(context: Omit<Parameters<Execute>[0], 'key'>): Promise<Result> {
    try {
      const { key } = this.#request;
      const value = await asCurrentIntent(key, () => this.#execute({ key, ...context }));
      return { kind: 'success', value };
    } catch (error) {
      // `unknown` makes no sense here: what is rolled back certainly did not happen.
      if (classifyError(error, this.#mutation) !== 'store') throw error;
      return { kind: 'failure', error };
    }
  }

  async #keep(result: Result): Promise<AtomicDecision> {
    const { engine, book, answerRetentionMs, operation, effect } = this.#mutation;
    const outcome = book.write(result, this.#request);
    if (outcome.kind === 'unavailable') {
      const { reason } = outcome;
      emit(engine, { kind: 'answer-unavailable', operation, effect, reason });
    }
    await engine.probe('before-complete');
    this.#conclusion = { kind: 'answered', result };
    const kind = result.kind === 'success' ? 'commit' : 'discard';
    return { kind, completion: { outcome, answerRetentionMs } };
  }
}
