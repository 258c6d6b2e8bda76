import type { YogaInitialContext } from 'graphql-yoga';
import { NotesOnObjects } from '../notes-on-objects.ts';
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
  readonly #known = new NotesOnObjects<IncomingRequest>();

  add(request: Request, parsed: unknown): void {
    const count = Array.isArray(parsed) ? parsed.length : undefined;
    this.#known.set(request, { count, place: undefined });
  }

  of({ request }: Partial<YogaInitialContext>): IncomingRequest | undefined {
    return request && this.#known.get(request);
  }

  /**
   * Remembers where a request is executed. Not for a batch, nor for what is executed within it for
   * the same request: whoever looks for its place would find another one.
   */
  place(context: Partial<YogaInitialContext>, place: PlaceInYoga): boolean {
    const incoming = this.of(context);
    if (!incoming || !isSingle(incoming) || incoming.place) return false;
    incoming.place = place;
    return true;
  }

  /**
   * Where a context is executed, unless its operation has been found already. What is around the
   * caller comes first, if it is of the same request: then this is executed within another one.
   */
  placeOf(
    { request }: Partial<YogaInitialContext>,
    { incoming, around }: { incoming: IncomingRequest | undefined; around: object | undefined },
  ): PlaceInYoga | undefined {
    const within = around instanceof PlaceInYoga && around.request === request;
    const place = within ? around : incoming?.place;
    return place?.operation ? undefined : place;
  }
}

/** One HTTP request: how many operations came in it, and where its only one is executed. */
export interface IncomingRequest {
  /** Of a batch; `undefined` for a single operation. */
  readonly count: number | undefined;
  place: PlaceInYoga | undefined;
}

/**
 * Whether an operation has a response of its own. Only then does Yoga read `extensions.http`,
 * and only in what it parsed itself does it keep that out of the body.
 */
export function isSingle(incoming: IncomingRequest | undefined): boolean {
  return incoming !== undefined && incoming.count === undefined;
}
