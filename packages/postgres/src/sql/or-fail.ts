import { isOwnTransaction } from './lock.ts';

/**
 * Makes a statement fail instead of changing nothing, for it travels together with COMMIT: effects
 * must not be committed without it. It is to return a row for each that it changed.
 *
 * Each reason is an error of its own, {@link NOT_OWN_TRANSACTION} or {@link NOTHING_CHANGED}. Plain
 * arithmetic can raise them, and says nothing of the values in the server's log.
 */
export function orFail(statement: string, tokenParameter: string): string {
  return `with done as (
       ${statement}
     )
     select ${inOwnTransaction(tokenParameter, 0)} as own_transaction,
            1 / count(*)::int4 as something_changed
       from done`;
}

/** A small number, unless this is another transaction: then {@link NOT_OWN_TRANSACTION}. */
export function inOwnTransaction(tokenParameter: string, number: number): string {
  return `(${number} + sqrt((${isOwnTransaction(tokenParameter)} is true)::int4 - 1))::int2`;
}

/** The transaction is no longer the one that was marked: the square root of minus one. */
export const NOT_OWN_TRANSACTION = '2201F';

/** Somebody was faster: a division by zero. */
export const NOTHING_CHANGED = '22012';
