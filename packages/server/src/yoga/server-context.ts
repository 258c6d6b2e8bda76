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
 * sees it and no copy has it.
 */
export class ServerContext extends OnObject {
  // eslint-disable-next-line no-unused-private-class-members -- that it is there says enough
  readonly #noted = true;

  static note(context: object): void {
    if (!(#noted in context)) new ServerContext(context);
  }

  /** Yoga executes a single operation on the context of its request, and each of a batch on an heir. */
  static cameBy(context: object): CameBy {
    if (#noted in context) return 'request';
    const parent = Object.getPrototypeOf(context) as object | null;
    return parent !== null && #noted in parent ? 'batch' : undefined;
  }
}
