import type { YogaInitialContext } from 'graphql-yoga';
import type { KeySource } from '../graphql/incoming-key.ts';
import type { GuardedOperation } from './guarded-operation.ts';

/** One execution, with all hooks around it. Not by context: several operations may share one. */
export class PlaceInYoga {
  readonly request: Request | undefined;
  operation: GuardedOperation | undefined;

  constructor(request: Request | undefined) {
    this.request = request;
  }
}

/** What is known of the HTTP requests that Yoga itself parsed: a socket and Envelop have none. */
export class IncomingRequests {
  /** `undefined` for one that is no batch. */
  readonly #batches = new WeakMap<Request, number | undefined>();
  readonly #places = new WeakMap<Request, PlaceInYoga>();

  add(request: Request, parsed: unknown): void {
    this.#batches.set(request, Array.isArray(parsed) ? parsed.length : undefined);
  }

  /**
   * Whether an operation has a response of its own. Only then does Yoga read `extensions.http`,
   * and only in what it parsed itself does it keep that out of the body.
   */
  isSingle({ request }: Partial<YogaInitialContext>): boolean {
    return (
      request !== undefined &&
      this.#batches.has(request) &&
      this.#batches.get(request) === undefined
    );
  }

  /**
   * Remembers where a request is executed. Not for a batch, nor for what is executed within it for
   * the same request: whoever looks for its place would find another one.
   */
  place(context: Partial<YogaInitialContext>, place: PlaceInYoga): boolean {
    const { request } = context;
    if (!request || !this.isSingle(context) || this.#places.has(request)) return false;
    this.#places.set(request, place);
    return true;
  }

  /**
   * Where a context is executed, unless its operation has been found already. What is around the
   * caller comes first, if it is of the same request: then this is executed within another one.
   */
  placeOf(
    { request }: Partial<YogaInitialContext>,
    around: object | undefined,
  ): PlaceInYoga | undefined {
    const within = around instanceof PlaceInYoga && around.request === request;
    const place = within ? around : request && this.#places.get(request);
    return place?.operation ? undefined : place;
  }

  keySource({ request, params }: Partial<YogaInitialContext>): KeySource {
    return {
      headers: request?.headers,
      extensions: params?.extensions,
      count: request && this.#batches.get(request),
    };
  }
}
