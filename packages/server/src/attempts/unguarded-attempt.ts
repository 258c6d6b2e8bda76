import { mintKey } from '@onceward/core';
import { asCurrentIntent } from '../ambient/ambient-intent.ts';
import type { Result } from '../answers/answer-book.ts';
import type { ResolvedMutation } from '../options/mutation-options.ts';
import type { Execute } from './attempt-context.ts';

/**
 * Executes without a record: a mutation whose key is optional and was not sent, or an expired key
 * of an effect that may be repeated. Its key is fresh, so that calls it makes still carry one.
 */
export async function attemptUnguarded(
  execute: Execute,
  mutation: ResolvedMutation,
): Promise<Result> {
  const { signal } = new AbortController();
  await mutation.engine.probe('before-execute');
  const key = mintKey();
  const value = await asCurrentIntent(key, () => execute({ key, attempt: 1, signal }));
  return { kind: 'success', value };
}
