/**
 * How long to wait before the next start; `undefined` when there should be none.
 *
 * A program that was ready and then ended starts again at once, as often as it takes: crashing it
 * is what the playground is for. One that never gets ready has a reason to be read by a person.
 */
export function pauseBeforeStart(failedStartsInARow: number): number | undefined {
  if (failedStartsInARow === 0) return 0;
  if (failedStartsInARow >= mostFailedStarts) return undefined;
  return firstPauseMs * 2 ** (failedStartsInARow - 1);
}

/** With the pauses between them, long enough for a former playground to end. */
const mostFailedStarts = 5;
const firstPauseMs = 100;
