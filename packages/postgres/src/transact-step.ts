import type { Lease, StepResult } from '@onceward/core/store';
import {
  commit,
  type Database,
  type Ending,
  type OpenTransaction,
  rollBack,
} from './database/database.ts';
import { hasSqlState, IN_FAILED_SQL_TRANSACTION } from './database/sql-state.ts';
import { endedTransaction, swallowedFailure } from './handler-mistakes.ts';
import type { RecordAddress } from './record-address.ts';
import { hasProgress } from './sql/has-progress.ts';
import { mark, wasEnded } from './sql/lock.ts';
import { saveStep } from './sql/save-step.ts';

/** One step of a mutation that holds a lease. */
export interface TransactionalStep<Transaction> {
  readonly address: RecordAddress;
  readonly lease: Lease;
  /** Resolves with the entry that the record's progress gets. */
  readonly run: (transaction: Transaction) => Promise<Uint8Array>;
}

/**
 * Runs a step in a transaction that also writes down that it is done.
 *
 *   begin ▶ step ▶ append its entry, if the lease is still held ▶ commit
 *
 * The entry comes last: it locks the record, and a renewal must not wait for the step. Whoever
 * takes the lease over meanwhile changes the token, and the step is rolled back.
 */
export async function transactStep<Transaction>(
  database: Database<Transaction>,
  step: TransactionalStep<Transaction>,
): Promise<StepResult> {
  const { kind, value, cause } = await database.transaction((open) => runStep(open, step));
  if (kind === 'as-asked') return value.result;

  // The old transaction holds the record until it has ended, so whoever may read it knows.
  const { address, lease } = step;
  const saved = await hasProgress(database, address, { lease, entry: value.entry });
  return saved ? { kind: 'saved' } : { kind: 'rolled-back', cause: cause ?? notCommitted() };
}

interface StepEnd {
  readonly result: StepResult;
  readonly entry: Uint8Array;
}

async function runStep<Transaction>(
  open: OpenTransaction<Transaction>,
  { address, lease, run }: TransactionalStep<Transaction>,
): Promise<Ending<StepEnd>> {
  await mark(open, address, lease.token);
  const entry = await run(open.handle);
  const undone = (result: StepResult) => rollBack({ result, entry });
  try {
    const saved = await saveStep(open, address, { lease, entry });
    if (saved === 'saved') return commit({ result: { kind: 'saved' }, entry });
    const ended = await wasEnded(open, lease.token);
    return undone(
      ended ? { kind: 'rolled-back', cause: endedTransaction() } : { kind: 'lease-lost' },
    );
  } catch (error) {
    if (!hasSqlState(error, IN_FAILED_SQL_TRANSACTION)) throw error;
    return undone({ kind: 'rolled-back', cause: swallowedFailure(error) });
  }
}

function notCommitted(): Error {
  return new Error('The database answered COMMIT with ROLLBACK');
}
