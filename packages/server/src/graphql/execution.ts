import { AsyncResource } from 'node:async_hooks';
import type { AttemptContext } from '../attempts/attempt-context.ts';
import type { Effect } from '../effect.ts';
import { type Executed, FailedExecution, failureOf } from './failed-execution.ts';
import { outerError, outerResult } from './inner-refusal.ts';
import type { Answer } from './mutation-call.ts';
import { keep, type KeptResult } from './result-codec.ts';

interface ExecutionParts {
  readonly attempt: AttemptContext<Effect, unknown>;
  readonly responseName: string;
  readonly answered: () => Promise<Answer>;
}

/** The right to execute, from when it was granted until the answer is stored. */
export class Execution {
  /** What resolvers get as `context.idempotency`. */
  readonly attempt: AttemptContext<Effect, unknown>;
  /** What is stored in the end; rejects with the failure. For the engine. */
  readonly result: Promise<KeptResult>;
  #succeed!: (result: KeptResult) => void;
  #fail!: (error: unknown) => void;
  readonly #parts: ExecutionParts;
  readonly #scope = new AsyncResource('onceward');

  /** Made inside the handler, so that `within` leads back there. */
  constructor(parts: ExecutionParts) {
    this.attempt = parts.attempt;
    this.#parts = parts;
    this.result = new Promise((resolve, reject) => {
      this.#succeed = resolve;
      this.#fail = reject;
    });
  }

  /** Executes as the current intent: what resolvers call carries a key derived from it. */
  within<T>(run: () => T): T {
    return this.#scope.runInAsyncScope(run);
  }

  /** Hands over the result, and resolves with the answer when it is stored. */
  finish({ raw, answer = raw }: Executed): Promise<Answer> {
    const kept = keep(outerResult(answer));
    const failure = failureOf({ raw, answer: kept.result }, this.#parts.responseName);
    if (failure) this.#fail(failure);
    else this.#succeed(kept);
    return this.#parts.answered();
  }

  /** For when it is certain that nothing was executed: the key is free again. */
  giveBack(): Promise<Answer> {
    this.#fail(new FailedExecution({ answer: {}, executed: false }));
    return this.#parts.answered();
  }

  /** For when there is no result: executing it, or something after that, threw. */
  fail(error: unknown): Promise<Answer> {
    this.#fail(outerError(error));
    return this.#parts.answered();
  }
}
