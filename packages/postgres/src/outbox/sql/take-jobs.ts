import type { IdempotencyKey } from '@onceward/core';
import type { Queryable } from '../../database/database.ts';
import { answer, readAnswers } from '../../sql/answer.ts';
import { clock, duration, inMs } from '../../sql/clock.ts';
import { jobState, turn } from './job-state.ts';

/** A job that this relay holds the lease of. */
export interface TakenJob {
  readonly id: string;
  readonly token: string;
  readonly key: IdempotencyKey;
  readonly task: string;
  readonly lane: string | null;
  /** As JSON. */
  readonly payload: string;
  readonly attempt: number;
  /** As `attempt`, but counted anew when somebody brought it back from the dead. */
  readonly tries: number;
}

export interface TakeRequest {
  /** What can be run here, and how often. */
  readonly tasks: readonly { readonly task: string; readonly maxAttempts: number }[];
  readonly limit: number;
  readonly token: string;
  readonly leaseMs: number;
}

export interface Taken {
  readonly jobs: readonly TakenJob[];
  /** Jobs whose last attempt let its lease run out: dead now. */
  readonly died: readonly TakenJob[];
  /** Whether lanes wait for somebody to decide whose turn it is. */
  readonly arrange: boolean;
}

/**
 * Takes the lease of jobs that are due, or whose lease ran out, oldest first.
 *
 * Task by task, so that jobs nobody here can run are not looked at. The clock is read in a query of
 * its own, because a function that changes with every row cannot bound an index. Lists travel as
 * JSON: every driver has its own idea of an array.
 */
export async function takeJobs(
  database: Queryable,
  schema: string,
  { tasks, limit, token, leaseMs }: TakeRequest,
): Promise<Taken> {
  const table = `${schema}."outbox_jobs"`;
  const answers = await database.query(
    `with due as materialized (
       select due.id,
              due.tries >= wanted.max_attempts as spent
         from json_to_recordset($1::text::json) as wanted (task text, max_attempts int4)
        cross join lateral (
                select id, tries, available_at
                  from ${table}
                 where task = wanted.task
                   and finished_at is null
                   and turn = ${turn.now}
                   and available_at <= (select ${clock})
                 order by available_at, id
                 limit $2::int4
                   for update skip locked
              ) as due
        order by due.available_at, due.id
        limit $2::int4
     ), moved as (
       update ${table} as job
          set state        = case when spent then ${jobState.dead} else ${jobState.running} end,
              attempt      = case when spent then attempt else attempt + 1 end,
              tries        = case when spent then tries else tries + 1 end,
              token        = $3::uuid,
              available_at = case when spent then available_at else ${inMs('$4')} end,
              finished_at  = case when spent then ${clock} end,
              last_error   = case when spent and state = ${jobState.running}
                                  then 'The lease of the last attempt ran out'
                                  else last_error end
         from due
        where job.id = due.id
    returning job.id, key, task, lane, payload, attempt, tries, spent
     )
     select ${answer({
       id: 'moved.id::text',
       key: 'key',
       task: 'task',
       lane: 'lane',
       payload: 'payload',
       attempt: 'attempt',
       tries: 'tries',
       spent: 'spent',
       arrange: 'arrange',
     })}
       from (select exists (select from ${table} where turn = ${turn.undecided})
                 or exists (select from ${table}
                             where lane is not null
                               and finished_at is not null
                               and turn = ${turn.now}) as arrange) as lanes
       left join moved on true
      order by moved.id`,
    [
      JSON.stringify(tasks.map(({ task, maxAttempts }) => ({ task, max_attempts: maxAttempts }))),
      limit,
      token,
      duration(leaseMs),
    ],
  );
  const rows = readAnswers<TakenRow>(answers);
  const died = jobsIn(rows, token, { spent: true });
  return {
    jobs: jobsIn(rows, token, { spent: false }),
    died,
    arrange: rows[0]?.arrange === true || died.some(({ lane }) => lane !== null),
  };
}

function jobsIn(
  rows: readonly TakenRow[],
  token: string,
  wanted: { readonly spent: boolean },
): TakenJob[] {
  return rows.flatMap(({ id, key, task, lane, payload, attempt, tries, spent }) =>
    id !== null && spent === wanted.spent
      ? [{ id, token, key, task, lane, payload, attempt, tries }]
      : [],
  );
}

interface TakenRow extends Omit<TakenJob, 'id' | 'token'> {
  /** `null` in the one row of an answer without jobs. */
  readonly id: string | null;
  readonly spent: boolean;
  readonly arrange: boolean;
}
