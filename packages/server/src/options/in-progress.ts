import { oneOf, positiveInteger, positiveMs, timerMs } from './check-option.ts';

/**
 * What a duplicate gets while another attempt executes.
 *
 * - `conflict`: 409 and when to come back.
 * - `wait`: the answer, if it comes soon; else 409. Waiting holds a connection of the client, so
 *   it is bounded in time and in number.
 * - `accepted`: 202 and when to come back, for APIs that offer a status operation.
 */
export type InProgressOptions = InProgressMode | ({ mode: InProgressMode } & InProgressDetails);

/** What a duplicate gets while the first attempt executes. */
export type InProgressMode = 'conflict' | 'wait' | 'accepted';

interface InProgressDetails {
  /**
   * When a duplicate should come back, at the latest. Sooner if the lease ends sooner.
   * @defaultValue `1_000`
   */
  retryAfterMs?: number;
  /** For `wait`: how long at most. @defaultValue `1_000` */
  maxWaitMs?: number;
  /** For `wait`: how many at once in this process; the others get 409. @defaultValue `100` */
  maxWaiters?: number;
}

export type ResolvedInProgress = Readonly<{ mode: InProgressMode } & Required<InProgressDetails>>;

export function resolveInProgress(options: InProgressOptions): ResolvedInProgress {
  const given = typeof options === 'string' ? { mode: options } : options;
  const modes = ['conflict', 'wait', 'accepted'] as const;
  const details: InProgressDetails = given;
  return {
    mode: oneOf('inProgress', given.mode, modes),
    retryAfterMs: positiveMs('inProgress.retryAfterMs', details.retryAfterMs ?? 1_000),
    maxWaitMs: timerMs('inProgress.maxWaitMs', details.maxWaitMs ?? 1_000),
    maxWaiters: positiveInteger('inProgress.maxWaiters', details.maxWaiters ?? 100),
  };
}
