import type { ResolvedMutation } from './options/mutation-options.ts';

/**
 * Asks again while another attempt executes.
 *
 * Whoever asks may also be granted the right to execute: when the other attempt gives up.
 */
export async function waitWhileInProgress<Answer extends { readonly kind: string }>(
  { engine, inProgress }: ResolvedMutation,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const { clock, waiters } = engine;
  let answer = await ask();
  const { maxWaitMs, maxWaiters } = inProgress;
  if (answer.kind !== 'in-progress' || waiters.count >= maxWaiters) return answer;

  waiters.count++;
  try {
    let remainingMs = maxWaitMs;
    for (let delayMs = 10; answer.kind === 'in-progress'; delayMs = Math.min(delayMs * 2, 200)) {
      if (remainingMs <= 0) break;
      const askedAt = clock.now();
      const pauseMs = Math.min(delayMs, remainingMs);
      await new Promise<void>((resolve) => {
        clock.setTimer(resolve, pauseMs);
      });
      answer = await ask();
      // The pause at least, for the clock of a machine may be set back.
      remainingMs -= Math.max(pauseMs, clock.now() - askedAt);
    }
    return answer;
  } finally {
    waiters.count--;
  }
}
