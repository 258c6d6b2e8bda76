/**
 * Tells a handler to stop. Its `AbortSignal` is made when somebody first asks for it: most handlers
 * never do, and to make one takes longer than the rest of an attempt.
 */
export class StopSignal {
  #reason: Error | undefined;
  #controller: AbortController | undefined;
  #listener: ((reason: Error) => void) | undefined;

  get aborted(): boolean {
    return this.#reason !== undefined;
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#reason) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** The first reason stays. */
  abort(reason: Error): void {
    if (this.#reason) return;
    this.#reason = reason;
    this.#controller?.abort(reason);
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
