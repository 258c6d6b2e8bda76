import { hasSqlState } from '../../database/sql-state.ts';

// https://www.postgresql.org/docs/current/errcodes-appendix.html
const UNIQUE_VIOLATION = '23505';

/** Asks again when another relay has just given the turn in the same lane. */
export async function retryUniqueViolations<T>(send: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await send();
    } catch (error) {
      if (!hasSqlState(error, UNIQUE_VIOLATION) || tries === MAX_TRIES) throw error;
    }
  }
}

const MAX_TRIES = 5;
