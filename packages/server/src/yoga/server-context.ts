/** How an operation came over HTTP. */
export interface CameBy {
  /** How many operations came in its request; `undefined` for one that came alone. */
  readonly count: number | undefined;
}

/** Hands on what it is given: a class that extends it puts its private members there. */
class OnObject {
  constructor(object: object) {
    return object;
  }
}

/**
 * The context that Yoga makes for an HTTP request which it parses itself: a socket and Envelop have
 * none. What is known of it is on it, where nobody else sees it and no copy has it.
 */
export class ServerContext extends OnObject {
  #batch: CameBy | undefined = undefined;

  static note(context: object): void {
    if (!(#batch in context)) new ServerContext(context);
  }

  /** Says what Yoga read from the request. */
  static parsed(context: object, read: unknown): void {
    if (Array.isArray(read) && #batch in context) context.#batch = { count: read.length };
  }

  /** Yoga executes a single operation on the context of its request, and each of a batch on an heir. */
  static cameBy(context: object): CameBy | undefined {
    if (#batch in context) return alone;
    const parent = Object.getPrototypeOf(context) as object | null;
    return parent !== null && #batch in parent ? parent.#batch : undefined;
  }
}

const alone: CameBy = { count: undefined };
