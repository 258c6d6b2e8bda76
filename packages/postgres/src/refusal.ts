import { hasSqlState, IN_FAILED_SQL_TRANSACTION, UNIQUE_VIOLATION } from './database/sql-state.ts';
import { endedTransaction, swallowedFailure } from './handler-mistakes.ts';
import { NOT_OWN_TRANSACTION, NOTHING_CHANGED } from './sql/or-fail.ts';

/** Why the statement that was to go with COMMIT failed, and took the effects with it. */
export type Refusal =
  /** Another attempt took the record meanwhile. */
  { readonly kind: 'superseded' } | { readonly kind: 'mistake'; readonly cause: Error };

/** Reads the reason from the error. Throws what is none: then the database is unwell. */
export function refusalOf(error: unknown): Refusal {
  if (hasSqlState(error, NOTHING_CHANGED, UNIQUE_VIOLATION)) return { kind: 'superseded' };
  if (hasSqlState(error, NOT_OWN_TRANSACTION))
    return { kind: 'mistake', cause: endedTransaction() };
  if (hasSqlState(error, IN_FAILED_SQL_TRANSACTION)) {
    return { kind: 'mistake', cause: swallowedFailure(error) };
  }
  throw error;
}
