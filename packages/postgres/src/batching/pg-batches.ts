import { borrowClient, giveBack } from '../database/borrow-client.ts';
import type { Queryable } from '../database/database.ts';
import { canFly, fly } from '../database/pg-flight.ts';
import type { PgPool } from '../database/pg-pool.ts';
import { sqlStateOf } from '../database/sql-state.ts';
import type { StatementNames } from '../database/statement-names.ts';
import { oneByOne } from '../records.ts';
import type { BatchEnd, BatchLimits } from './batch-lane.ts';
import { type BatchedRecords, batchedRecords } from './batched-records.ts';
import type { FlightPlan } from './flight-plan.ts';

/**
 * Batches over `pg`: a flight with a single Sync is one transaction, and one commit.
 *
 * Where a client cannot fly, statements are sent one by one, as without batches.
 */
export function pgBatches(
  pool: PgPool,
  { query, nameOf }: { query: Queryable['query']; nameOf: StatementNames },
): BatchedRecords {
  const sendFlight = async <Item, Answer>(
    form: () => readonly Item[],
    plan: (items: readonly Item[]) => FlightPlan<Answer>,
  ): Promise<BatchEnd<Answer>> => {
    const client = await borrowClient(pool);
    const items = form();
    // Who got a connection sooner may have taken them all.
    const planned = items.length > 0 ? planOf(items, plan) : undefined;
    if (!planned || !canFly(client)) {
      giveBack(client);
      return { kind: 'undone' };
    }
    const { statements, read } = planned;
    const named = statements.map(({ text, values }) => ({ text, values, name: nameOf(text) }));
    const { done, failure } = await fly(client, named);
    if (!failure) {
      giveBack(client);
      return { kind: 'committed', answers: read(done.map(({ rows }) => rows)) };
    }
    const { error: cause, sent } = failure;
    if (!sent || wasUndone(cause)) {
      giveBack(client);
      return { kind: 'undone' };
    }
    giveBack(client, new Error('The connection failed', { cause }));
    return { kind: 'in-doubt', cause };
  };
  const hasConnection = () => (pool.idleCount ?? 0) > 0;
  return batchedRecords({ sendFlight, alone: oneByOne({ query }), hasConnection, limits });
}

/** Two batches at a time keep a database busy that has other work as well; more would queue there. */
const limits: BatchLimits = {
  maxItems: 64,
  minShare: 32,
  maxBytes: 1_000_000,
  maxFlights: 2,
  lookMs: 100,
  maxConnecting: 8,
  maxWaiting: 10_000,
  maxWaitingOfScope: 5_000,
};

/** `undefined` when a value cannot be written: one by one, only that one fails. */
function planOf<Item, Answer>(
  items: readonly Item[],
  plan: (items: readonly Item[]) => FlightPlan<Answer>,
): FlightPlan<Answer> | undefined {
  try {
    return plan(items);
  } catch {
    return undefined;
  }
}

/**
 * Whether the server says that it has undone everything. Not when it ends the connection, or may be
 * about to, for want of disk or memory: it may have committed just before.
 */
function wasUndone(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state !== undefined && !/^(?:08|25P0[34]|53|57P|58|XX)/.test(state);
}
