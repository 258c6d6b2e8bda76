import {
  abandon,
  commit,
  type Ending,
  type OpenTransaction,
  rollBack,
} from '../../database/database.ts';
import { hasSqlState, IN_FAILED_SQL_TRANSACTION } from '../../database/sql-state.ts';
import { endedTransaction, swallowedFailure } from '../../handler-mistakes.ts';
import { finishJobWithin } from '../sql/finish-job.ts';
import { isJobDone } from '../sql/is-job-done.ts';
import { markTransaction, wasEnded } from '../sql/own-transaction.ts';
import type { JobEnd } from './run-job.ts';
import { runHandler } from './run-handler.ts';
import type { ResolvedHandler, ResolvedRelay } from './relay-options.ts';
import type { RunningJob } from './running-job.ts';

export type TransactionalRun = ResolvedHandler & {
  readonly form: { readonly kind: 'transactional' };
};

/**
 * Runs a handler in a transaction that also marks the job as done.
 *
 *   begin ▶ handler ▶ mark as done, if the lease is still held ▶ commit
 *
 * The mark comes last: it locks the job, and a renewal must not wait for the handler. Whoever takes
 * the job over meanwhile changes the token, and this attempt is rolled back.
 */
export async function runInTransaction(
  running: RunningJob,
  handler: TransactionalRun,
  relay: ResolvedRelay,
): Promise<JobEnd> {
  const { database, schema } = relay;
  const { kind, value, cause } = await database.transaction((open) =>
    runWithin(open, running, { handler, relay }),
  );
  await relay.probe('after-done');
  if (kind === 'as-asked' || value.kind !== 'done') return value;

  // COMMIT was not acknowledged. The old transaction holds the job until it has ended.
  const done = await isJobDone(database, schema, running.job);
  return done ? { kind: 'done' } : { kind: 'failed', error: cause ?? notCommitted() };
}

async function runWithin(
  open: OpenTransaction<unknown>,
  running: RunningJob,
  { handler, relay }: { handler: TransactionalRun; relay: ResolvedRelay },
): Promise<Ending<JobEnd>> {
  const { job } = running;
  await markTransaction(open, job.token);
  const run = handler.form.run;
  const end = await runHandler(running, (given) => run({ ...given, tx: open.handle }), {
    handler,
    relay,
  });
  await relay.probe('after-handler');
  if (end.kind === 'threw') return rollBack({ kind: 'failed', error: end.error });
  // It may still send statements, and they must not meet the connection's next borrower.
  if (end.kind === 'deaf') return abandon({ kind: 'failed', error: end.reason });

  await relay.probe('before-done');
  try {
    const finished = await finishJobWithin(open, relay.schema, job);
    if (finished === 'done') return commit({ kind: 'done' });
    const ended = await wasEnded(open, job.token);
    return rollBack(ended ? { kind: 'failed', error: endedTransaction() } : { kind: 'fenced' });
  } catch (error) {
    if (!hasSqlState(error, IN_FAILED_SQL_TRANSACTION)) throw error;
    return rollBack({ kind: 'failed', error: swallowedFailure(error) });
  }
}

function notCommitted(): Error {
  return new Error('The database answered COMMIT with ROLLBACK');
}
