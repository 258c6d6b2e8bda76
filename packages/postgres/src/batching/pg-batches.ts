import { borrowClient, giveBack } from '../database/borrow-client.ts';
import type { Queryable, Statement } from '../database/database.ts';
import { canFly, fly } from '../database/pg-flight.ts';
import type { PgPool } from '../database/pg-pool.ts';
import { sqlStateOf } from '../database/sql-state.ts';
import type { StatementNames } from '../database/statement-names.ts';
import { waitAtMost } from '../sql/lock.ts';
import type { BatchEnd, BatchLimits } from './batch-lane.ts';
import { type BatchedQueryable, batchedRecords } from './batched-records.ts';

/**
 * Batches over `pg`: a flight with a single Sync is one transaction, and one commit.
 *
 * Where a client cannot fly, statements are sent one by one, as without batches.
 */
export function pgBatches(
  pool: PgPool,
  { query, nameOf }: { query: Queryable['query']; nameOf: StatementNames },
): BatchedQueryable {
  const sendAlone = ({ text, values }: Statement) => query<unknown>(text, values);

  const sendBatch = async (form: () => readonly Statement[]): Promise<BatchEnd> => {
    const client = await borrowClient(pool);
    if (!canFly(client)) {
      giveBack(client);
      // Those who wait board all the same, or they would wait on.
      form();
      return { kind: 'undone' };
    }
    const statements = form();
    // Who got a connection sooner has taken them all.
    if (statements.length === 0) {
      giveBack(client);
      return { kind: 'committed', rows: [] };
    }
    const opening = statements.length > 1 ? [IMPATIENT] : [];
    const flight = [...opening, ...statements].map(({ text, values }) => ({
      text,
      values,
      name: nameOf(text),
    }));
    const { done, failure } = await fly(client, flight);
    if (!failure) {
      giveBack(client);
      return { kind: 'committed', rows: done.slice(opening.length).map(({ rows }) => rows) };
    }
    const { error: cause, sent } = failure;
    if (!sent || wasUndone(cause)) {
      giveBack(client);
      return { kind: 'undone' };
    }
    giveBack(client, new Error('The connection failed', { cause }));
    return { kind: 'in-doubt', cause };
  };
  return batchedRecords({ sendBatch, sendAlone, limits });
}

/** Two batches at a time keep a database busy that has other work as well; more would queue there. */
const limits: BatchLimits = {
  maxStatements: 64,
  maxBytes: 1_000_000,
  maxFlights: 2,
  maxWaiting: 10_000,
};

/**
 * Nobody in a batch waits for a row that one of them cannot have: they are all sent one by one
 * then, and only that one waits.
 */
const IMPATIENT = waitAtMost('100ms');

/**
 * Whether the server says that it has undone everything. Not when it ends the connection, or may be
 * about to, for want of disk or memory: it may have committed just before.
 */
function wasUndone(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state !== undefined && !/^(?:08|25P0[34]|53|57P|58|XX)/.test(state);
}
