/** How an operation came over HTTP. */
export interface CameBy {
  /** How many operations came in its request; `undefined` for one that came alone. */
  readonly count: number | undefined;
}

/** What is known of the HTTP requests that Yoga itself parsed: a socket and Envelop have none. */
export class ServerContexts {
  readonly #contexts = new WeakSet();
  readonly #batches = new WeakMap<object, CameBy>();

  add(serverContext: object): void {
    this.#contexts.add(serverContext);
  }

  /** Says what Yoga read from the request of a context. */
  parsed(serverContext: object, read: unknown): void {
    if (Array.isArray(read)) this.#batches.set(serverContext, { count: read.length });
  }

  /** Yoga executes a single operation on the context of its request, and each of a batch on an heir. */
  cameBy(context: object): CameBy | undefined {
    if (this.#contexts.has(context)) return alone;
    const parent = Object.getPrototypeOf(context) as object | null;
    return parent === null ? undefined : this.#batches.get(parent);
  }
}

const alone: CameBy = { count: undefined };
