import { setTimeout as passes } from 'node:timers/promises';
import { type ChaosIntent, getHelp, note, send } from './customers.ts';
import type { SettledIntent } from './customers-process.ts';

export interface SettleAllOptions {
  readonly port: () => number;
  readonly onSettled: () => void;
}

/** Sends everything once more, now that all is well. */
export async function settleAll(
  intents: readonly ChaosIntent[],
  { port, onSettled }: SettleAllOptions,
): Promise<SettledIntent[]> {
  const left = intents.values();
  const settled: SettledIntent[] = [];
  const settleSome = async () => {
    for (const intent of left) {
      const acknowledged = intent.answers.length > 0;
      // Nothing is promised about these: nobody waits for them.
      const stuckAt = intent.form === 'redis-unwaited' ? undefined : await unanswered(intent, port);
      settled.push({ ...intent, answers: [...new Set(intent.answers)], acknowledged, stuckAt });
      onSettled();
    }
  };
  await Promise.all(Array.from({ length: 24 }, settleSome));
  return settled;
}

/**
 * A lease that nobody holds any more runs out within two seconds, and a quiet time takes eight; the
 * rest is for a machine that has other things to do.
 */
const patienceMs = 60_000;

/** The last status, if that was no answer. */
async function unanswered(intent: ChaosIntent, port: () => number): Promise<number | undefined> {
  for (const startedAt = performance.now(); ;) {
    const answer = await send(intent, port());
    if (note(intent, answer)) return undefined;
    if (performance.now() - startedAt > patienceMs) return answer.status;
    await passes(100);
    await getHelp(intent, port());
  }
}
