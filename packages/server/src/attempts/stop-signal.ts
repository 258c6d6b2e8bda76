import { AsyncResource } from 'node:async_hooks';

/**
 * Tells a handler to stop. Its `AbortSignal` is made when somebody first asks for it: most handlers
 * never do, and to make one takes longer than the rest of an attempt.
 */
export class StopSignal {
  #reason: Error | undefined;
  #controller: AbortController | undefined;
  /** Where the signal was asked for: what listens to it must not find another caller there. */
  #askedIn: AsyncResource | undefined;
  #listener: ((reason: Error) => void) | undefined;

  get aborted(): boolean {
    return this.#reason !== undefined;
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      this.#askedIn = new AsyncResource('onceward');
      if (this.#reason) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** The first reason stays. */
  abort(reason: Error): void {
    if (this.#reason) return;
    this.#reason = reason;
    this.#askedIn?.runInAsyncScope(() => this.#controller?.abort(reason));
    this.#listener?.(reason);
  }

  /** Calls back when it is aborted, at once if it has been. For one listener, who needs no signal. */
  listen(listener: (reason: Error) => void): void {
    if (this.#reason) listener(this.#reason);
    else this.#listener = listener;
  }

  throwIfAborted(): void {
    if (this.#reason) throw this.#reason;
  }
}
