import type { Queryable } from '../../database/database.ts';
import { clock } from '../../sql/clock.ts';
import { jobChannel } from './job-channel.ts';
import { jobState, turn } from './job-state.ts';
import { noteJobs } from './note-jobs.ts';

/** Which of the dead: one, those of a task, or all. */
export interface DeadJobs {
  readonly id?: string | undefined;
  readonly task?: string | undefined;
  /** Who does it and why, for the audit trail; absent where a program does. */
  readonly why?: { readonly by: string; readonly reason: string } | undefined;
}

/**
 * Lets dead jobs be tried again, as often as new ones; answers with how many. They are last in line
 * for the turn of their lane only behind what has begun since.
 *
 * Not one that still stands for its lane: its followers would wait for it for ever. The caller hands
 * lanes on first.
 */
export async function reviveJobs(
  database: Queryable,
  schema: string,
  { id, task, why }: DeadJobs,
): Promise<number> {
  const rows = await database.query(
    `with revived as (
       update ${schema}."outbox_jobs"
          set state        = ${jobState.waiting},
              turn         = case when lane is null then ${turn.now} else ${turn.undecided} end,
              tries        = 0,
              available_at = ${clock},
              finished_at  = null
        where state = ${jobState.dead}
          and (lane is null or turn = ${turn.over})
          and ($1::int8 is null or id = $1::int8)
          and ($2::text is null or task = $2::text)
    returning id, key, task
     ), noted as (
       ${noteJobs(schema, { from: 'revived', actor: '$4', action: '$5', evidence: '$6' })}
     )
     select pg_notify($3::text, '')::text from revived`,
    [
      ...[id ?? null, task ?? null, jobChannel(schema), why?.by ?? null, 'retry job'],
      why ? JSON.stringify({ reason: why.reason }) : null,
    ],
  );
  return rows.length;
}
