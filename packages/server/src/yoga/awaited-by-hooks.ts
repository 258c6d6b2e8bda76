import type { Awaitable } from '@onceward/core/store';
import type { ExecutionResult } from 'graphql';

/** What comes after the hooks of all plugins. */
export interface AfterHooks {
  /** With what they made of the result. Says what the client gets. */
  finish(result: HookedResult): Awaitable<ExecutionResult>;
  /** With what one of them threw, or whoever executed. Throws what the client gets. */
  abandon(error: unknown): Promise<never>;
}

/** Of which parts may come later. */
export type HookedResult = ExecutionResult | AsyncIterable<ExecutionResult>;

/**
 * The promise of a result, for Envelop, which waits for it with `then` and goes on with the hooks
 * that plugins have after an execution. Whoever is waited for hears what comes of them, wherever the
 * plugins stand in the list: no hook of our own is needed for it, nor anything around them all.
 */
export class AwaitedByHooks implements Promise<ExecutionResult> {
  readonly [Symbol.toStringTag] = 'Promise';
  readonly #executed: Promise<ExecutionResult>;
  readonly #after: AfterHooks;

  constructor(executed: Promise<ExecutionResult>, after: AfterHooks) {
    this.#executed = executed;
    this.#after = after;
  }

  then<Value = ExecutionResult, Caught = never>(
    hooks?: ((result: ExecutionResult) => Value | PromiseLike<Value>) | null,
    failed?: ((error: unknown) => Caught | PromiseLike<Caught>) | null,
  ): Promise<Value | Caught> {
    const hooked = this.#executed.then(hooks, failed) as Promise<HookedResult>;
    const ended = hooked.then(
      (result) => this.#after.finish(result),
      (error: unknown) => this.#after.abandon(error),
    );
    // Hooks answer a result with a result, which is what Envelop goes on with.
    return ended as Promise<Value>;
  }

  catch<Caught = never>(
    failed?: ((error: unknown) => Caught | PromiseLike<Caught>) | null,
  ): Promise<ExecutionResult | Caught> {
    return this.then(undefined, failed);
  }

  finally(last?: (() => void) | null): Promise<ExecutionResult> {
    return this.then().finally(last);
  }
}
