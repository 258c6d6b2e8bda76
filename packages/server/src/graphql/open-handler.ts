import { AsyncResource } from 'node:async_hooks';
import type { AttemptContext } from '../attempts/attempt-context.ts';
import type { Effect } from '../effect.ts';
import type { Mutation } from '../engine.ts';
import type { Intent } from '../intent.ts';
import type { OpenIntent } from '../open-intent.ts';
import type { IntentResult } from '../run-intent.ts';

/**
 * As `openOnce`, for mutations that need a handler.
 *
 * The engine runs a handler and stores what it returns, while servers execute first and finish a
 * result later, with hooks in between. So the handler waits until it is said what came of it.
 */
export function openHandler(
  mutation: Mutation<Effect, unknown>,
  intent: Intent,
): Promise<OpenIntent | IntentResult> {
  return new Promise((resolve, reject) => {
    const answered: Promise<IntentResult> = mutation.resultOnce(intent, (attempt) => {
      const handler = new WaitingHandler(attempt, () => answered);
      resolve(handler);
      return handler.result;
    });
    // After it was granted, nobody hears of these here: whoever executes gets them.
    answered.then(resolve, reject);
  });
}

/** Made inside the handler, so that `within` leads back there. */
class WaitingHandler implements OpenIntent {
  readonly kind = 'open';
  readonly context: AttemptContext<Effect, unknown>;
  readonly result: Promise<unknown>;
  #resolve!: (value: unknown) => void;
  #reject!: (error: unknown) => void;
  readonly #answered: () => Promise<IntentResult>;
  readonly #scope = new AsyncResource('onceward');

  constructor(context: AttemptContext<Effect, unknown>, answered: () => Promise<IntentResult>) {
    this.context = context;
    this.#answered = answered;
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  within<T>(run: () => T): T {
    return this.#scope.runInAsyncScope(run);
  }

  succeed(value: unknown): Promise<IntentResult> {
    this.#resolve(value);
    return this.#answered();
  }

  fail(error: unknown): Promise<IntentResult> {
    this.#reject(error);
    return this.#answered();
  }
}
