import { mintKey } from '@onceward/core';
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
  return { kind: 'success', value: await execute({ key: mintKey(), attempt: 1, signal }) };
}
