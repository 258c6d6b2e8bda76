import type { ErrorClass } from '../effect.ts';
import type { StoredResponse } from './stored-response.ts';

/**
 * A response of 400 or more, which is an error to the engine: what an atomic handler wrote is rolled
 * back, and whether the response is kept depends on what it says.
 */
export class ResponseFailure extends Error {
  override readonly name = 'ResponseFailure';
  readonly response: StoredResponse;

  constructor(response: StoredResponse) {
    super(`The handler answered with ${response.status}`);
    this.response = response;
  }

  /** What nobody made a response of is an internal error, of which nothing is said. */
  static of(error: unknown): ResponseFailure {
    if (error instanceof ResponseFailure) return error;
    return new ResponseFailure({ status: 500, headers: [], body: null });
  }
}

export interface FailurePolicy {
  readonly profile: 'ietf' | 'stripe';
  readonly own: ((response: { readonly status: number }) => ErrorClass | undefined) | undefined;
}

/** `undefined` leaves it to the effect. */
export function classifyFailure(
  error: unknown,
  { profile, own }: FailurePolicy,
): ErrorClass | undefined {
  if (!(error instanceof ResponseFailure)) return undefined;
  const { status } = error.response;
  const declared = own?.({ status });
  if (declared) return declared;
  return profile === 'stripe' || answerStatuses.has(status) ? 'store' : undefined;
}

/** Not among them: what a later attempt may get past, such as 401, 408, 425, 429 or 503. */
const answerStatuses: ReadonlySet<number> = new Set([
  ...[400, 402, 403, 404, 405, 406, 409, 410, 411, 412, 413, 414, 415, 416, 417],
  ...[421, 422, 424, 426, 428, 431, 451],
]);
