import type { PostgresDriver, TransactionOf } from '../database/driver.ts';
import { jobChecker, type JobOptions } from './new-job.ts';
import { type Outbox, refuseDriver } from './postgres-outbox.ts';
import { queryableIn } from '../database/driver.ts';
import { graphileAddJob } from './sql/graphile-add-job.ts';
import type { Tasks } from './task.ts';

export interface GraphileOutboxOptions<Named extends Tasks> extends JobOptions<Named> {
  /** The schema of graphile-worker. @defaultValue `'graphile_worker'` */
  workerSchema?: string;
}

/**
 * Hands jobs to graphile-worker, in your transaction: for those who run it already.
 *
 * A task finds the job's own key in `helpers.job.key`. A lane is a named queue: one job at a time, but
 * one that failed is overtaken while it waits. An attempt that repeats an intent finds its job until
 * graphile-worker has run and forgotten it; after that, the job is added again, under the same key.
 */
export function graphileOutbox<Driver extends PostgresDriver, Named extends Tasks>(
  driver: Driver,
  options: GraphileOutboxOptions<Named>,
): Outbox<Named, TransactionOf<Driver>> {
  const { workerSchema = 'graphile_worker' } = options;
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(workerSchema)) {
    throw new TypeError('Expected `workerSchema` to be lower-case letters, digits and underscores');
  }
  const checker = jobChecker(options);
  return {
    async enqueue(tx, task, payload) {
      refuseDriver(tx, driver);
      const transaction = queryableIn(tx);
      const job = await checker.check(task, payload);
      return { kind: await graphileAddJob(transaction, `"${workerSchema}"`, job), key: job.key };
    },
  };
}
