import { type Course, emit } from './course.ts';
import type { Failure } from './failure.ts';
import { delayMs } from './retry/delay.ts';
import { retryAfterMs } from './retry/retry-after.ts';
import type { RetryReason, Verdict } from './retry/verdict.ts';
import { wait } from './wait.ts';

/** Waits until the next attempt may start, or says why none will. */
export async function pauseBeforeRetry(
  course: Course,
  { why, pace }: Extract<Verdict, { kind: 'retry' }>,
  failure: Failure,
): Promise<'go' | 'deadline' | 'aborted'> {
  const { tools, intent } = course;
  // What was asked while the mutation ran says nothing about an outage that follows.
  const count = pace === 'backoff' ? course.failedAttempts : course.attempts;
  const floorMs = retryAfterMs(failure, tools.clock.now());
  let passed = await letPass(course, delayMs({ count, pace, retryAfterMs: floorMs }, tools), why);
  // Asking for a mutation that runs is no sign of a struggling server, and costs no token.
  if (pace !== 'backoff') return passed;
  while (passed === 'go' && !(course.leave = tools.budget.take(intent.origin))) {
    passed = await letPass(course, delayMs({ count: 1, pace: 'poll' }, tools), 'budget');
  }
  return passed;
}

async function letPass(
  course: Course,
  ms: number,
  why: RetryReason | 'budget',
): Promise<'go' | 'deadline' | 'aborted'> {
  const { clock } = course;
  const { deadlineAt, signal } = course.intent;
  // Waiting for an attempt that will not be made helps nobody.
  if (clock.now() + ms >= deadlineAt) return 'deadline';
  emit(course, { kind: 'attempt-waiting', why, delayMs: ms });
  if ((await wait(ms, { clock, signal })) === 'aborted') return 'aborted';
  // The device may have slept through it.
  return clock.now() < deadlineAt ? 'go' : 'deadline';
}
