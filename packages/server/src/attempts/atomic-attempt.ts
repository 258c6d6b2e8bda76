import type {
  AtomicDecision,
  AtomicResult,
  NotReserved,
  ReserveRequest,
  TransactionalStore,
} from '@onceward/core/store';
import { asCurrentIntent } from '../ambient/ambient-intent.ts';
import type { HandlerResult } from '../answers/answer-format.ts';
import { classifyError, storableError } from '../classify-error.ts';
import { emit } from '../hooks/emit.ts';
import { scopeLabelOf } from '../hooks/scope-label.ts';
import { trace } from '../hooks/trace.ts';
import type { ResolvedMutation } from '../options/mutation-options.ts';
import { type Execute, HandlerContext } from './attempt-context.ts';
import { storeUnavailable } from './call-store.ts';
import { createDeadline } from './deadline.ts';
import { atomicKinds, known } from './known-answer.ts';
import type { Ran } from './ran.ts';
import { startHardTimeLimit } from './time-limit.ts';

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
  if (engine.probe) await engine.probe('before-reserve');
  const answer = await trace(mutation, { name: 'idempotency.execute', request }, () =>
    run.transact(),
  );

  const facts = { operation, effect, durationMs: engine.clock.now() - startedAt };
  if (answer.kind === 'committed') {
    emit(engine, { kind: 'attempt-completed', ...facts });
    if (engine.probe) await engine.probe('after-complete');
    return run.committed();
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
  | { readonly kind: 'answered'; readonly ran: Ran }
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

  committed(): Ran {
    if (this.#conclusion.kind === 'answered') return this.#conclusion.ran;
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
      return known(await deadline.race(transaction), atomicKinds);
    } catch (cause) {
      throw storeUnavailable(engine, cause);
    }
  }

  async #decide(tx: unknown, attempt: number): Promise<AtomicDecision> {
    const { engine, operation, effect } = this.#mutation;
    const { key } = this.#request;
    using limit = startHardTimeLimit(engine);
    let running = false;
    try {
      if (engine.probe) await engine.probe('after-reserve');
      emit(engine, {
        kind: 'attempt-started',
        operation,
        effect,
        attempt,
        ...scopeLabelOf(engine, this.#request.scope),
      });
      if (engine.probe) await engine.probe('before-execute');
      running = true;
      const executing = this.#execution(
        new HandlerContext({ key, attempt }, limit.stop, { tx }),
      ).finally(() => {
        running = false;
      });
      const decision = await Promise.race([executing, limit.exhausted]);
      if (engine.probe) await engine.probe('before-complete');
      return decision;
    } catch (error) {
      this.#conclusion = { kind: 'gave-up', error };
      // A handler that does not stop still has the connection in its hands.
      return { kind: running ? 'abandon' : 'roll-back' };
    }
  }

  async #execution(context: HandlerContext): Promise<AtomicDecision> {
    const mutation = this.#mutation;
    try {
      const value = await asCurrentIntent(this.#request, () => this.#execute(context));
      const result = { kind: 'success', value } as const;
      return this.#keep('commit', result, result);
    } catch (error) {
      const classified = classifyError(error, mutation);
      // `unknown` makes no sense here: what is rolled back certainly did not happen.
      if (classified.errorClass !== 'store') throw error;
      const stored = storableError(error, classified);
      return this.#keep('discard', { kind: 'failure', error }, { kind: 'failure', error: stored });
    } finally {
      if (mutation.engine.probe) await mutation.engine.probe('after-execute');
    }
  }

  /** `stored` is what later attempts get; `result` what this caller gets. */
  #keep(kind: 'commit' | 'discard', result: HandlerResult, stored: HandlerResult): AtomicDecision {
    const { engine, answers, answerRetentionMs, operation, effect } = this.#mutation;
    const outcome = answers.write(stored, this.#request);
    const replayable = outcome.kind !== 'unavailable';
    if (!replayable) {
      const { reason } = outcome;
      emit(engine, { kind: 'answer-unavailable', operation, effect, reason });
    }
    // Once given up, a handler that answers after all has nothing left to say.
    if (!this.entered) {
      this.#conclusion = { kind: 'answered', ran: { kind: 'ran', result, replayable } };
    }
    return { kind, completion: { outcome, answerRetentionMs } };
  }
}
