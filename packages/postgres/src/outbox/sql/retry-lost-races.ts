import { hasSqlState, UNIQUE_VIOLATION } from '../../database/sql-state.ts';

/**
 * Asks again when another relay has just given the turn in the same lane.
 *
 * A moment later: PostgreSQL reports an error before it unlocks the rows of the failed statement, and
 * the next one, on another connection, would find them locked and skip them. To wait for locks
 * instead would be to wait for whoever has one, and jobs in no lane would wait, too.
 */
export async function retryLostRaces<T>(send: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await send();
    } catch (error) {
      if (!hasSqlState(error, UNIQUE_VIOLATION) || tries === MAX_TRIES) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

const MAX_TRIES = 5;
const PAUSE_MS = 20;
