import type { Awaitable } from '@onceward/core/store';
import type { ExecutionResult } from 'graphql';
import type { AttemptContext } from '../attempts/attempt-context.ts';
import { isPromise } from '../is-promise.ts';
import type { Effect } from '../effect.ts';
import { type Answer, answerFrom, answerFromError } from './answer.ts';
import { type Executed, FailedExecution, failureOf } from './failed-execution.ts';
import { outerError, outerResult } from './inner-refusal.ts';
import { KeptResult } from './kept-result.ts';
import type { OpenIntent } from '../open-intent.ts';

/** An operation that may be executed, until its answer is stored. */
export class Execution {
  /** What resolvers get as `context.idempotency`. */
  readonly attempt: AttemptContext<Effect, unknown>;
  readonly #intent: OpenIntent;
  readonly #responseName: string;

  constructor(intent: OpenIntent, responseName: string) {
    this.attempt = intent.context;
    this.#intent = intent;
    this.#responseName = responseName;
  }

  /** Executes as the current intent: what resolvers call carries a key derived from it. */
  within<T>(run: () => T): T {
    return this.#intent.within(run);
  }

  /** Hands over the result, and returns the answer once it is stored. */
  finish({ raw, answer = raw }: Executed): Awaitable<Answer> {
    let kept: KeptResult;
    let failure: FailedExecution | undefined;
    try {
      kept = KeptResult.written(outerResult(answer));
      // Without errors and with data it has not failed: most need no closer look, and no copy.
      failure = raw.errors || !raw.data ? this.#failure(raw, kept) : undefined;
    } catch (error) {
      // It is no result, which is as if whoever made it had thrown.
      return this.fail(error);
    }
    if (failure) return this.#failed(failure);
    const stored = this.#intent.succeed(kept);
    return isPromise(stored) ? stored.then(answerFrom, answerFromError) : answerFrom(stored);
  }

  /** For when it is certain that nothing was executed: the key is free again. */
  giveBack(): Promise<Answer> {
    return this.#failed(new FailedExecution({ answer: {}, executed: false }));
  }

  /** For when there is no result: executing it, or something after that, threw. */
  fail(error: unknown): Promise<Answer> {
    return this.#failed(outerError(error));
  }

  #failure(raw: ExecutionResult, { result }: KeptResult): FailedExecution | undefined {
    return failureOf({ raw, answer: result }, this.#responseName);
  }

  #failed(error: unknown): Promise<Answer> {
    return this.#intent.fail(error).then(answerFrom, answerFromError);
  }
}
