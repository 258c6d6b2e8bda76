import { hasSqlState } from '../../database/sql-state.ts';

// https://www.postgresql.org/docs/current/errcodes-appendix.html
const UNIQUE_VIOLATION = '23505';

export type RowLock = 'for update skip locked' | 'for update';

/**
 * Asks again when another relay has just given the turn in the same lane.
 *
 * From then on with a lock that waits: PostgreSQL reports an error before it gives back the rows
 * that the statement had locked, so that one over another connection may still find them locked.
 */
export async function retryLostRaces<T>(send: (lock: RowLock) => Promise<T>): Promise<T> {
  let lock: RowLock = 'for update skip locked';
  for (let tries = 1; ; tries++) {
    try {
      return await send(lock);
    } catch (error) {
      if (!hasSqlState(error, UNIQUE_VIOLATION) || tries === MAX_TRIES) throw error;
      lock = 'for update';
    }
  }
}

const MAX_TRIES = 5;
