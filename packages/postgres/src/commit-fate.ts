import type { AtomicResult, ReserveRequest } from '@onceward/core/store';
import { type Database, rollBack } from './database/database.ts';
import { lockOf, type RecordAddress } from './record-address.ts';
import { isCompletedBy } from './sql/is-completed-by.ts';
import { MAX_WAIT, waitForLock } from './sql/lock.ts';

/**
 * Finds out what became of a COMMIT that was not acknowledged.
 *
 * It may have arrived, may still be on its way, or may never have been sent. The old transaction
 * holds the record's lock until it has ended either way, so whoever gets the lock on a fresh
 * connection can read the truth. Guessing is not an option: a wrong "rolled back" executes twice.
 *
 * Where the transaction is known to be `over`, there is nothing to wait for.
 */
export async function commitFate<Transaction>(
  database: Database<Transaction>,
  { address, request, over }: { address: RecordAddress; request: ReserveRequest; over: boolean },
): Promise<AtomicResult> {
  try {
    const completed = over
      ? await isCompletedBy(database, address, request.token)
      : await isCompletedAfterAll(database, address, request);
    return { kind: completed ? 'committed' : 'rolled-back' };
  } catch (error) {
    throw new Error(
      'A commit was not acknowledged, and the database could not be asked what became of it. ' +
        'The mutation took effect or it did not; the next attempt will find out.',
      { cause: error },
    );
  }
}

async function isCompletedAfterAll<Transaction>(
  database: Database<Transaction>,
  address: RecordAddress,
  request: ReserveRequest,
): Promise<boolean> {
  const { value } = await database.transaction(
    async (open) => {
      await waitForLock(open, lockOf(address));
      return rollBack(await isCompletedBy(open, address, request.token));
    },
    [MAX_WAIT],
  );
  return value;
}
