import type { Awaitable } from '@onceward/core/store';
import type { ExecutionResult } from 'graphql';
import { isPromise } from '../is-promise.ts';

/** What comes before and after the hooks that plugins have behind an execution. */
export interface AroundHooks {
  /** Before them: what they are shown of a result. */
  executed(result: HookedResult): Awaitable<HookedResult>;
  /** The same, when executing threw. Throws what is no result. */
  failed(error: unknown): Promise<HookedResult>;
  /** After them, with what they made of it. Says what the client gets. */
  finish(result: HookedResult): Awaitable<ExecutionResult>;
  /** The same, when one of them threw, or `failed`. Throws what the client gets. */
  abandon(error: unknown): Promise<never>;
}

/** Of which parts may come later. */
export type HookedResult = ExecutionResult | AsyncIterable<ExecutionResult>;

/**
 * The promise of a result, for Envelop, which waits for it with `then` and goes on with the hooks
 * that plugins have after an execution. Whoever is waited for hears what comes of them, wherever the
 * plugins stand in the list: no hook of our own is needed for it, nor anything around them all.
 *
 * All of it is one turn, unless somebody has to be waited for: one promise for each mutation.
 */
export class AwaitedByHooks implements Promise<ExecutionResult> {
  readonly [Symbol.toStringTag] = 'Promise';
  readonly #executing: Promise<HookedResult>;
  readonly #around: AroundHooks;

  constructor(executing: Promise<HookedResult>, around: AroundHooks) {
    this.#executing = executing;
    this.#around = around;
  }

  then<Value = ExecutionResult, Caught = never>(
    hooks?: ((result: ExecutionResult) => Value | PromiseLike<Value>) | null,
    failed?: ((error: unknown) => Caught | PromiseLike<Caught>) | null,
  ): Promise<Value | Caught> {
    const around = this.#around;
    const later = (shown: Promise<HookedResult>) =>
      shown.then(
        (result) => endOf(hooks as Hooks, result, around),
        (error: unknown) => endOf((failed ?? rethrow) as Hooks, error, around),
      );
    const ended = this.#executing.then(
      (result) => {
        const shown = around.executed(result);
        return isPromise(shown) ? later(shown) : endOf(hooks as Hooks, shown, around);
      },
      (error: unknown) => later(around.failed(error)),
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

type Hooks = ((shown: unknown) => Awaitable<HookedResult>) | null | undefined;

/** What comes of hooks, and of what comes after them. */
function endOf(hooks: Hooks, shown: unknown, around: AroundHooks): Awaitable<ExecutionResult> {
  let hooked: Awaitable<HookedResult>;
  try {
    hooked = hooks ? hooks(shown) : (shown as HookedResult);
  } catch (error) {
    return around.abandon(error);
  }
  if (hooked === undefined) return unheard(around);
  if (!isPromise(hooked)) return around.finish(hooked);
  return hooked.then(
    (result) => around.finish(result),
    (error: unknown) => around.abandon(error),
  );
}

/**
 * Whoever waits by `await` passes a function that answers nothing, and has the result by now. What
 * comes of it is not heard of, and so in doubt; nobody waits for a promise of ours.
 */
async function unheard(around: AroundHooks): Promise<never> {
  const error = new TypeError('Expected hooks to answer with a result');
  return (await around.abandon(error).catch(() => undefined)) as never;
}

function rethrow(error: unknown): never {
  throw error;
}
