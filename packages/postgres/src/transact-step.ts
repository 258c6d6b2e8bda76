import type { Lease, StepResult } from '@onceward/core/store';
import {
  commit,
  type Database,
  type Ending,
  type OpenTransaction,
  rollBack,
} from './database/database.ts';
import type { RecordAddress } from './record-address.ts';
import { refusalOf } from './refusal.ts';
import { hasProgress, waitForRecord } from './sql/has-progress.ts';
import { mark, MAX_WAIT } from './sql/lock.ts';
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
 *   begin, mark ▶ step ▶ append its entry if the lease is still held, commit
 *
 * The entry comes last: it locks the record, and a renewal must not wait for the step. Whoever
 * takes the lease over meanwhile changes the token, and the step is rolled back.
 */
export async function transactStep<Transaction>(
  database: Database<Transaction>,
  step: TransactionalStep<Transaction>,
): Promise<StepResult> {
  const { address, lease } = step;
  const ended = await database.transaction(
    (open) => runStep(open, step),
    [mark(address, lease.token)],
  );
  const { kind, value: entry, cause, over = false } = ended;
  if (kind === 'as-asked') return { kind: 'saved' };
  if (kind === 'refused') {
    const refusal = refusalOf(cause);
    return refusal.kind === 'superseded'
      ? { kind: 'lease-lost' }
      : { kind: 'rolled-back', cause: refusal.cause };
  }
  const saved = over
    ? await hasProgress(database, address, { lease, entry })
    : await hasProgressAfterAll(database, step, entry);
  return saved ? { kind: 'saved' } : { kind: 'rolled-back', cause: cause ?? notCommitted() };
}

async function runStep<Transaction>(
  open: OpenTransaction<Transaction>,
  { address, lease, run }: TransactionalStep<Transaction>,
): Promise<Ending<Uint8Array>> {
  const entry = await run(open.handle);
  return commit(entry, [saveStep(address, { lease, entry })]);
}

/** The old transaction holds the record until it has ended, so whoever may read it knows. */
async function hasProgressAfterAll<Transaction>(
  database: Database<Transaction>,
  { address, lease }: TransactionalStep<Transaction>,
  entry: Uint8Array,
): Promise<boolean> {
  const { value } = await database.transaction(
    async (open) => {
      await waitForRecord(open, address);
      return rollBack(await hasProgress(open, address, { lease, entry }));
    },
    [MAX_WAIT],
  );
  return value;
}

function notCommitted(): Error {
  return new Error('The database answered COMMIT with ROLLBACK');
}
