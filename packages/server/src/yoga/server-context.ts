/**
 * How an operation came over HTTP: alone, or in a batch. `undefined` for one that did not, or whose
 * request Yoga did not parse itself, as over a socket and with Envelop.
 */
export type CameBy = 'request' | 'batch' | undefined;

/** Hands on what it is given: a class that extends it puts its private members there. */
class OnObject {
  constructor(object: object) {
    return object;
  }
}

/**
 * The context that Yoga makes for an HTTP request. That it is one is noted on it, where nobody else
 * sees it and no copy has it. A single operation is executed on it, each of a batch on an heir of it.
 */
export class ServerContext extends OnObject {
  /** How many operations came. */
  #count = 1;

  /** With what Yoga made of the request: an operation, or a list of them. */
  static note(context: object, parsed: unknown): void {
    const noted = #count in context ? context : new ServerContext(context);
    noted.#count = Array.isArray(parsed) ? parsed.length : 1;
  }

  static cameBy(context: object): CameBy {
    if (#count in context) return 'request';
    return ServerContext.#ofBatch(context) ? 'batch' : undefined;
  }

  /** How many operations came with it, itself included. */
  static countOf(context: object): number {
    const batch = ServerContext.#ofBatch(context);
    return batch ? batch.#count : 1;
  }

  static #ofBatch(context: object): ServerContext | undefined {
    const parent = Object.getPrototypeOf(context) as object | null;
    return parent !== null && #count in parent ? parent : undefined;
  }
}
