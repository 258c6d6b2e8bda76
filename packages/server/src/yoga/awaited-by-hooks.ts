import type { Awaitable } from '@onceward/core/store';
import type { ExecutionResult } from 'graphql';
import { isPromise } from '../is-promise.ts';

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
    const ended = this.#executed.then(
      (result) => this.#endOf(hooks, result),
      (error: unknown) => this.#endOf(failed ?? rethrow, error),
    );
    // Hooks answer a result with a result, which is what Envelop goes on with.
    return ended as Promise<Value>;
  }

  /** In one turn if no hook has to be waited for. */
  #endOf<Value>(hooks: ((value: Value) => unknown) | null | undefined, value: Value) {
    const after = this.#after;
    let hooked: Awaitable<HookedResult>;
    try {
      hooked = (hooks ? hooks(value) : value) as Awaitable<HookedResult>;
    } catch (error) {
      return after.abandon(error);
    }
    if (!isPromise(hooked)) return after.finish(hooked);
    return hooked.then(
      (result) => after.finish(result),
      (error: unknown) => after.abandon(error),
    );
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

function rethrow(error: unknown): never {
  throw error;
}
