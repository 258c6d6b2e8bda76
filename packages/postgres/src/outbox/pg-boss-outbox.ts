import type { IdempotencyKey } from '@onceward/core';
import type { PostgresDriver, TransactionOf } from '../database/driver.ts';
import { jobChecker, type JobOptions } from './new-job.ts';
import { type Outbox, refuseDriver } from './postgres-outbox.ts';
import { queryableIn } from '../database/driver.ts';
import type { Tasks } from './task.ts';

/** A started `PgBoss`, or anything of that shape. */
export interface PgBossLike {
  send(
    name: string,
    data: object,
    options: { id: string; db: PgBossDatabase },
  ): Promise<string | null>;
  getJobById(
    name: string,
    id: string,
    options: { db: PgBossDatabase; includeArchive: boolean },
  ): Promise<unknown>;
}

/** How pg-boss sends statements through a connection of somebody else. */
export interface PgBossDatabase {
  executeSql(text: string, values: unknown[]): Promise<{ rows: unknown[] }>;
}

export interface PgBossOutboxOptions<Named extends Tasks> extends JobOptions<Named> {
  boss: PgBossLike;
}

/**
 * Hands jobs to pg-boss, in your transaction: for those who run it already.
 *
 * The job's own key is the id of the job: `job.id`. Payloads are objects, as pg-boss wants them, and
 * tasks with lanes are refused: whether pg-boss keeps an order is a matter of its version and queue.
 * An attempt that repeats an intent finds its job until pg-boss has archived it; after that, the job is
 * added again, under the same key.
 */
export function pgBossOutbox<Driver extends PostgresDriver, Named extends Tasks>(
  driver: Driver,
  options: PgBossOutboxOptions<Named>,
): Outbox<Named, TransactionOf<Driver>> {
  const { boss, tasks } = options;
  for (const [name, task] of Object.entries(tasks)) {
    if (!task.lane) continue;
    throw new TypeError(`Tasks that go to pg-boss have no lane: '${name}' must not have one`);
  }
  const checker = jobChecker(options);
  return {
    async enqueue(tx, task, payload) {
      refuseDriver(tx, driver);
      const transaction = queryableIn(tx);
      const job = await checker.check(task, payload);
      const db: PgBossDatabase = {
        executeSql: async (text, values) => ({ rows: await transaction.query(text, values) }),
      };
      const id = asUuid(job.key);
      const data = JSON.parse(job.payload) as object;
      if ((await boss.send(task, data, { id, db })) !== null) return { kind: 'enqueued', key: id };

      // pg-boss answers alike for a job that is there and for a queue that is not.
      const found = await boss.getJobById(task, id, { db, includeArchive: false });
      if (found) return { kind: 'already-enqueued', key: id };
      throw new Error(`pg-boss took no job for '${task}': call createQueue for it first`);
    },
  };
}

/** The id of a job is a UUID. A child of an opaque key has its digits, and lacks the hyphens. */
function asUuid(key: IdempotencyKey): IdempotencyKey {
  return key.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') as IdempotencyKey;
}
