import { type Database, rollBack } from '../database/database.ts';
import { MAX_WAIT, waitForLock } from '../sql/lock.ts';
import type { MessageAddress } from './message-address.ts';
import { isProcessedBy } from './sql/is-processed-by.ts';

/**
 * Finds out what became of a COMMIT that was not acknowledged; rejects unless it was done.
 *
 * The old transaction holds the message's lock until it has ended either way, so whoever gets the
 * lock on a fresh connection can read the truth.
 */
export async function deliveryFate(
  database: Database<unknown>,
  address: MessageAddress,
  { token, cause }: { token: string; cause: unknown },
): Promise<void> {
  const { value: processed } = await database.transaction(
    async (open) => {
      await waitForLock(open, address.lock);
      return rollBack(await isProcessedBy(open, address, token));
    },
    [MAX_WAIT],
  );
  if (processed) return;
  throw new Error('The message was not processed: its transaction was rolled back by COMMIT', {
    cause,
  });
}
