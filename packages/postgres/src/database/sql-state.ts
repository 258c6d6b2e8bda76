// https://www.postgresql.org/docs/current/errcodes-appendix.html
export const SERIALIZATION_FAILURE = '40001';
export const DEADLOCK_DETECTED = '40P01';
export const INVALID_STATEMENT_NAME = '26000';
export const IN_FAILED_SQL_TRANSACTION = '25P02';
export const UNIQUE_VIOLATION = '23505';
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

/**
 * What the server called its error; `undefined` when it was not the server who spoke.
 *
 * Drivers keep it in `code`, where Node.js puts words of its own, and libraries around them wrap
 * the error or copy from it, more than once.
 */
export function sqlStateOf(error: unknown, depth = 0): string | undefined {
  const { code, originalCode, meta, cause } = Object(error) as WrappedError;
  const place = [code, originalCode, meta?.code].find(isSqlState);
  if (place !== undefined || depth === MAX_DEPTH) return place;
  return sqlStateOf(cause, depth + 1) ?? sqlStateOf(meta?.driverAdapterError, depth + 1);
}

interface WrappedError {
  readonly code?: unknown;
  readonly cause?: unknown;
  /** These are Prisma's. */
  readonly originalCode?: unknown;
  readonly meta?: { readonly code?: unknown; readonly driverAdapterError?: unknown };
}

/** Five digits and capitals. `EPIPE` has no digit, and `P2010` is a number of Prisma's own. */
function isSqlState(code: unknown): code is string {
  return typeof code === 'string' && /^(?=.*\d)(?!P[1-9])[0-9A-Z]{5}$/.test(code);
}

const MAX_DEPTH = 3;
