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
  /** Of a batch, how many have begun. */
  #operations = 0;

  static note(context: object): void {
    if (!(#operations in context)) new ServerContext(context);
  }

  static cameBy(context: object): CameBy {
    if (#operations in context) return 'request';
    return ServerContext.#ofBatch(context) ? 'batch' : undefined;
  }

  /** Counts an operation that begins. */
  static begin(context: object): void {
    const batch = ServerContext.#ofBatch(context);
    if (batch) batch.#operations += 1;
  }

  /** How many of its batch have begun: a turn later all have, unless a plugin makes some wait. */
  static countOf(context: object): number {
    const batch = ServerContext.#ofBatch(context);
    return batch ? batch.#operations : 1;
  }

  static #ofBatch(context: object): ServerContext | undefined {
    const parent = Object.getPrototypeOf(context) as object | null;
    return parent !== null && #operations in parent ? parent : undefined;
  }
}
