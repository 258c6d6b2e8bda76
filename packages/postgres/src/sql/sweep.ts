import type { MaintenancePage, SweepReport } from '@onceward/core/store';
import type { Queryable } from '../database/database.ts';
import { cursorAfter, type PageSeen, positionOf } from '../maintenance-cursor.ts';
import { answer, readAnswers } from './answer.ts';
import { clock } from './clock.ts';
import { state } from './state.ts';

/**
 * Frees, or marks as unknown, the leases on one page that ran out.
 *
 * A row that someone is working on is left for the next time, so that maintenance never waits and
 * nobody waits for maintenance. Whether the lease ran out is asked again of the row that was locked:
 * it may have been renewed since the page was read.
 */
export async function sweep(
  database: Queryable,
  schema: string,
  page: MaintenancePage,
): Promise<SweepReport> {
  const position = positionOf(page);
  const table = `${schema}."${position.table}"`;
  const report = answer({
    looked: '(select count(*) from page)',
    last: '(select id from page order by id desc limit 1)',
    released: `count(*) filter (where state = ${state.released})`,
    unknown: `count(*) filter (where state = ${state.unknown})`,
  });
  const rows = await database.query(
    `with page as materialized (
       select id,
              state = ${state.inProgress} and lease_expires_at <= ${clock} as ran_out
         from ${table}
        where id > $1::uuid
        order by id
        limit $2::int4
     ), stale as materialized (
       select id
         from ${table}
        where id in (select id from page where ran_out)
          and state = ${state.inProgress}
          and lease_expires_at <= ${clock}
          for update skip locked
     ), swept as (
       update ${table} as held
          set state         = case when re_executable then ${state.released}
                                                      else ${state.unknown} end,
              unknown_since = case when re_executable then unknown_since else ${clock} end
        where id in (select id from stale)
          and state = ${state.inProgress}
          and lease_expires_at <= ${clock}
    returning held.state
     )
     select ${report}
       from swept`,
    [position.after, page.limit],
  );
  const [row] = readAnswers<SweptRow>(rows);
  if (!row) throw new Error('PostgreSQL answered a count with no row at all');
  const { released, unknown } = row;
  return { cursor: cursorAfter(position, row, page), released, unknown };
}

interface SweptRow extends PageSeen {
  readonly released: number;
  readonly unknown: number;
}
