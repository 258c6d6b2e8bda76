import { asCurrentIntent } from '../ambient/ambient-intent.ts';
import { classifyError } from '../classify-error.ts';
import { emit } from '../hooks/emit.ts';
import { scopeLabelOf } from '../hooks/scope-label.ts';
import type { ResolvedMutation } from '../options/mutation-options.ts';
import { admit } from './admit.ts';
import { type Execute, HandlerContext } from './attempt-context.ts';
import type { Ran } from './ran.ts';
import { StopSignal } from './stop-signal.ts';
import { startTimeLimit } from './time-limit.ts';

/**
 * Executes without a record: a mutation whose key is optional and was not sent, or an expired key
 * of an effect that may be repeated. Its key is fresh, so that calls it makes still carry one.
 */
export async function attemptUnguarded(
  scope: string,
  execute: Execute,
  mutation: ResolvedMutation,
): Promise<Ran> {
  const { engine, operation, effect } = mutation;
  await admit({ scope }, mutation);
  emit(engine, {
    kind: 'attempt-started',
    operation,
    effect,
    attempt: 1,
    ...scopeLabelOf(engine, scope),
  });
  const stopSignal = new StopSignal();
  using _limit = startTimeLimit(engine, (reason) => stopSignal.abort(reason));
  const key = engine.mintKey();
  const context = new HandlerContext({ key, attempt: 1 }, stopSignal);
  if (engine.probe) await engine.probe('before-execute');
  try {
    const value = await asCurrentIntent({ scope, key }, () => execute(context));
    return { kind: 'ran', result: { kind: 'success', value }, replayable: false };
  } catch (error) {
    if (classifyError(error, mutation).errorClass !== 'store') throw error;
    return { kind: 'ran', result: { kind: 'failure', error }, replayable: false };
  }
}
