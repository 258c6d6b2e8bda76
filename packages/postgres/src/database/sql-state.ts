// https://www.postgresql.org/docs/current/errcodes-appendix.html
export const SERIALIZATION_FAILURE = '40001';
export const DEADLOCK_DETECTED = '40P01';
export const IN_FAILED_SQL_TRANSACTION = '25P02';
export const CHECK_VIOLATION = '23514';
export const UNDEFINED_TABLE = '42P01';

export function hasSqlState(error: unknown, ...states: readonly string[]): boolean {
  const state = sqlStateOf(error);
  return state !== undefined && states.includes(state);
}

/**
 * Whether the server said no to what the statements were about, such as a broken constraint,
 * rather than being unwell itself. Asking again would get the same answer.
 */
export function isObjection(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state !== undefined && !unwellClasses.has(state.slice(0, 2));
}

/** Connection, conflicts, resources, shut-down, the system around the server, its own bugs. */
const unwellClasses = new Set(['08', '40', '53', '57', '58', 'XX']);

/** Drivers put the SQLSTATE of a server's error in `code`, where Node.js puts its own words. */
function sqlStateOf(error: unknown): string | undefined {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}
