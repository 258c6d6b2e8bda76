import { type ChaosIntent, note, passes, send, settle } from './customers.ts';
import type { SettledIntent } from './customers-process.ts';
import { onRedis } from './forms.ts';

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
      const stuck = intent.form !== 'redis-unwaited' && !(await answeredInTime(intent, port));
      settled.push({ ...intent, answers: [...new Set(intent.answers)], acknowledged, stuck });
      onSettled();
    }
  };
  await Promise.all(Array.from({ length: 24 }, settleSome));
  return settled;
}

/** A lease that nobody holds any more runs out within two seconds; a quiet time takes eight. */
async function answeredInTime(intent: ChaosIntent, port: () => number): Promise<boolean> {
  for (let tries = 0; tries < 200; tries++) {
    if (note(intent, await send(intent, port()))) return true;
    await passes(100);
    if (onRedis.has(intent.form)) await settle(intent, port());
  }
  return false;
}
