import { IdempotencyError } from '@onceward/core';
import type { ResolvedMutation } from '../options/mutation-options.ts';
import { emit } from './emit.ts';

/** Reports every refusal on its way out, once, wherever it was decided. */
export async function reportRefusals<T>(
  mutation: ResolvedMutation,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    reportRefusal(error, mutation);
    throw error;
  }
}

/** Other errors are not ours to report. */
export function reportRefusal(error: unknown, mutation: ResolvedMutation): void {
  if (!IdempotencyError.is(error)) return;
  const { engine, operation, effect } = mutation;
  emit(engine, { kind: 'attempt-refused', operation, effect, code: error.code });
}
