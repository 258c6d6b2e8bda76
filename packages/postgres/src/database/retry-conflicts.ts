import type { Queryable } from './database.ts';
import { DEADLOCK_DETECTED, hasSqlState, SERIALIZATION_FAILURE } from './sql-state.ts';

/**
 * Sends a statement again when it lost a conflict and the server undid it.
 *
 * Where `default_transaction_isolation` is stricter than READ COMMITTED, a statement that meets a
 * concurrent change is refused instead of looking again. Only for statements that commit by
 * themselves: inside a transaction, everything before the conflict is undone as well.
 */
export async function queryRetryingConflicts<Row>(
  send: Queryable['query'],
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  for (let tries = 1; ; tries++) {
    try {
      return await send<Row>(text, values);
    } catch (error) {
      if (!isConflict(error) || tries === MAX_TRIES) throw error;
    }
  }
}

export function isConflict(error: unknown): boolean {
  return hasSqlState(error, SERIALIZATION_FAILURE, DEADLOCK_DETECTED);
}

const MAX_TRIES = 5;
