/**
 * Tells a handler to stop. Its `AbortSignal` is made when somebody first asks for it: most handlers
 * never do, and to make one takes longer than the rest of an attempt.
 */
export class StopSignal {
  #reason: Error | undefined;
  #controller: AbortController | undefined;

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
    this.#reason ??= reason;
    this.#controller?.abort(reason);
  }

  throwIfAborted(): void {
    if (this.#reason) throw this.#reason;
  }
}
