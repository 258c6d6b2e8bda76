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
    if (IdempotencyError.is(error)) {
      const { engine, operation, effect } = mutation;
      emit(engine, { kind: 'attempt-refused', operation, effect, code: error.code });
    }
    throw error;
  }
}
