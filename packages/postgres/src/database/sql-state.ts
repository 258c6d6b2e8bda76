// https://www.postgresql.org/docs/current/errcodes-appendix.html
export const SERIALIZATION_FAILURE = '40001';
export const DEADLOCK_DETECTED = '40P01';
export const IN_FAILED_SQL_TRANSACTION = '25P02';

/** Drivers put the SQLSTATE of a server's error in `code`. */
export function hasSqlState(error: unknown, ...states: readonly string[]): boolean {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && states.includes(code);
}
