import type { MaintenancePage, SweepReport } from '@onceward/core/store';
import type { Queryable } from '../database/database.ts';
import {
  cursorAfter,
  firstRecord,
  type PageSeen,
  positionOf,
  type RowPosition,
} from '../maintenance-cursor.ts';
import { answer, readAnswers } from './answer.ts';
import { clock } from './clock.ts';
import { pageOfRows, pageSeen } from './page-of-rows.ts';
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
  const position = rowsFrom(page);
  const seen = pageOfRows(schema, position, page);
  const { table, rows, values } = seen;
  const report = answer({
    ...pageSeen(seen),
    released: `count(*) filter (where state = ${state.released})`,
    unknown: `count(*) filter (where state = ${state.unknown})`,
  });
  const answers = await database.query(
    `with page as materialized (
       select id,
              state = ${state.inProgress} and lease_expires_at <= ${clock} as ran_out
         from ${rows}
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
    values,
  );
  const [row] = readAnswers<SweptRow>(answers);
  if (!row) throw new Error('PostgreSQL answered a count with no row at all');
  const { released, unknown } = row;
  return { cursor: cursorAfter(position, row, page), released, unknown };
}

function rowsFrom({ cursor }: MaintenancePage): RowPosition {
  const position = cursor === undefined ? firstRecord : positionOf(cursor);
  // Nothing is swept there: partitions are swept with `records`.
  return position.table === 'partitions' ? firstRecord : position;
}

interface SweptRow extends PageSeen {
  readonly released: number;
  readonly unknown: number;
}
