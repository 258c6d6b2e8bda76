import type { Queryable } from '../../database/database.ts';
import { answer, readAnswers } from '../../sql/answer.ts';
import { clock } from '../../sql/clock.ts';
import { jobState, turn } from './job-state.ts';
import { noteJobs } from './note-jobs.ts';

export interface Discarding {
  readonly id: string;
  readonly reason: string;
  readonly by: string;
}

/** `running`: a relay holds its lease. `not-there`: no such job, or it is done or discarded. */
export type Discarded = 'discarded' | 'running' | 'not-there';

/**
 * Decides that a job is never run. What was written down of it stays until it is pruned.
 *
 * It stands for its lane once more, wherever it stood: one behind it may wait for nobody else.
 */
export async function discardJob(
  database: Queryable,
  schema: string,
  { id, reason, by }: Discarding,
): Promise<Discarded> {
  const rows = await database.query(
    `with discarded as (
       update ${schema}."outbox_jobs"
          set state       = ${jobState.discarded},
              turn        = case when finished_at is null then ${turn.now} else turn end,
              finished_at = ${clock},
              reason      = $2::text,
              decided_by  = $3::text
        where id = $1::int8
          and (state in (${jobState.waiting}, ${jobState.dead})
               or (state = ${jobState.running} and available_at <= ${clock}))
    returning id, key, task
     ), noted as (
       ${noteJobs(schema, { from: 'discarded', actor: '$3', action: '$4', evidence: '$5' })}
     )
     select ${answer({
       discarded: `case when exists (select from discarded) then 'discarded'
                        when exists (select
                                       from ${schema}."outbox_jobs"
                                      where id = $1::int8
                                        and state = ${jobState.running}) then 'running'
                        else 'not-there' end`,
     })}`,
    [id, reason, by, 'discard job', JSON.stringify({ reason })],
  );
  return readAnswers<{ discarded: Discarded }>(rows)[0]?.discarded ?? 'not-there';
}
