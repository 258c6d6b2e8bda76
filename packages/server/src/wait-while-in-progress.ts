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
    const deadline = clock.now() + maxWaitMs;
    for (let delayMs = 10; answer.kind === 'in-progress'; delayMs = Math.min(delayMs * 2, 200)) {
      const remainingMs = deadline - clock.now();
      if (remainingMs <= 0) break;
      await new Promise<void>((resolve) => {
        clock.setTimer(resolve, Math.min(delayMs, remainingMs));
      });
      answer = await ask();
    }
    return answer;
  } finally {
    waiters.count--;
  }
}
