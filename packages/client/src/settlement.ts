import type { Course } from './course.ts';
import { DeliveryError } from './delivery-error.ts';
import type { Settlement } from './delivery-event.ts';
import type { Failure } from './failure.ts';
import type { Verdict } from './retry/verdict.ts';

/** Why an intent was given up, and what its last attempt brought. */
export interface Ending {
  readonly as: Exclude<Settlement, 'succeeded'>;
  /** What the last attempt threw, if it threw. */
  readonly cause?: unknown;
  readonly failure?: Failure;
  readonly verdict?: Verdict;
}

/**
 * What the caller of a delivery gets for it.
 *
 * An answer of the server is given back as it was thrown: it is what the client library would
 * have thrown without us, with the types its users know.
 */
export function errorFor({ as, cause, failure, verdict }: Ending, course: Course): unknown {
  if (as === 'refused' || as === 'answered' || as === 'unauthorized') return cause;
  return new DeliveryError(as === 'no-key' ? 'attempts' : as, {
    attempts: course.attempts,
    cause: as === 'aborted' ? ((course.intent.signal?.reason as unknown) ?? cause) : cause,
    idempotency: failure?.kind === 'idempotency' ? failure.error : undefined,
    message: verdict?.why === 'key-not-sent' ? course.tools.keyNotSent : undefined,
  });
}
