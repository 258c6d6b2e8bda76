import type { YogaInitialContext } from 'graphql-yoga';
import type { KeySource } from '../graphql/incoming-key.ts';

/** What is known of the HTTP requests that Yoga itself parsed: a socket and Envelop have none. */
export class IncomingRequests {
  /** `undefined` for one that is no batch. */
  readonly #batches = new WeakMap<Request, number | undefined>();

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

  keySource({ request, params }: Partial<YogaInitialContext>): KeySource {
    return {
      headers: request?.headers,
      extensions: params?.extensions,
      count: request && this.#batches.get(request),
    };
  }
}
