import { type AttemptResult, runAttempt, type Send } from './attempt.ts';
import { type Course, type DeliveryTools, emit, openCourse } from './course.ts';
import type { Settlement } from './delivery-event.ts';
import type { Failure } from './failure.ts';
import type { ResolvedIntent } from './intent.ts';
import { pauseBeforeRetry } from './pause.ts';
import { judge } from './retry/verdict.ts';
import { type Ending, errorFor } from './settlement.ts';

/**
 * Sends an intent until it settles.
 *
 *   attempt ──succeeded──▶ settled
 *    ▲    │
 *    │    └─failed──▶ judge ──give-up, configuration-error──▶ settled
 *    │                  │
 *    │                retry ──no attempts or no time left, aborted──▶ settled
 *    │                  │
 *    └──── budget ◀── pause
 */
export async function deliver<T>(
  intent: ResolvedIntent,
  send: Send<T>,
  tools: DeliveryTools,
): Promise<T> {
  const course = openCourse(intent, tools);
  if (intent.signal?.aborted) throw giveUp(course, { as: 'aborted' });
  for (;;) {
    const result = await attempt(course, send);
    if (result.kind === 'succeeded') {
      tools.budget.succeeded(intent.origin);
      settle(course, 'succeeded');
      return result.value;
    }
    const ending = await endOrPause(course, result);
    if (ending) throw giveUp(course, ending);
  }
}

async function attempt<T>(course: Course, send: Send<T>): Promise<AttemptResult<T>> {
  const { intent, tools, clock } = course;
  course.attempts++;
  emit(course, { kind: 'attempt-started' });
  const result = await runAttempt(send, {
    number: course.attempts,
    key: intent.key,
    timeoutMs: Math.min(tools.attemptTimeoutMs, intent.deadlineAt - clock.now()),
    signal: intent.signal,
    clock,
  });
  course.keyDelivery = result.keyDelivery;
  course.leave?.release();
  course.leave = undefined;
  return result;
}

/** Resolves with nothing when the next attempt may start. */
async function endOrPause(course: Course, result: FailedResult): Promise<Ending | undefined> {
  const { tools } = course;
  const cause = result.kind === 'failed' ? result.error : undefined;
  const failure: Failure =
    result.kind === 'failed' ? tools.describeFailure(cause) : { kind: result.kind };
  const verdict = judge(failure, result.keyDelivery);
  emit(course, { kind: 'attempt-failed', failure, verdict, cause });

  const last = { cause, failure, verdict };
  if (verdict.kind === 'configuration-error') return { ...last, as: 'configuration' };
  if (verdict.kind === 'give-up') return { ...last, as: verdict.why };
  if (verdict.pace === 'backoff') course.failedAttempts++;
  if (course.failedAttempts >= tools.maxAttempts) return { ...last, as: 'attempts' };

  const passed = await pauseBeforeRetry(course, verdict, failure);
  if (passed === 'go') return undefined;
  // The server has said that it does not know: nobody may read "too slow" into that.
  const unresolved = passed === 'deadline' && verdict.why === 'outcome-unknown';
  return { ...last, as: unresolved ? 'unresolved' : passed };
}

function giveUp(course: Course, ending: Ending): unknown {
  settle(course, ending.as);
  return errorFor(ending, course);
}

function settle(course: Course, as: Settlement): void {
  const { intent, clock, keyDelivery } = course;
  const durationMs = clock.now() - intent.startedAt;
  emit(course, { kind: 'intent-settled', as, keyDelivery, durationMs });
}

type FailedResult = Exclude<AttemptResult<unknown>, { kind: 'succeeded' }>;
