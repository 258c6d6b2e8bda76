import type { MaintenancePage, PruneReport } from '@onceward/core/store';
import type { Queryable } from '../database/database.ts';
import { cursorAfter, type PageSeen, type RowPosition } from '../maintenance-cursor.ts';
import { answer, readAnswers } from './answer.ts';
import { clock, instant } from './clock.ts';
import { outcomeCode } from './outcome-code.ts';
import { pageOfRows, pageSeen } from './page-of-rows.ts';
import { state } from './state.ts';

/**
 * Deletes the records on one page whose key cannot be presented any more, and drops answers that
 * are past their retention from records that stay.
 *
 * A record stays for as long as its answer was promised, even if its key has run out: an intent
 * may have been completed late. What is in progress or unknown stays, however old: deleting it would
 * be deciding that it did not happen. The clock is read once per row, so that no row is both deleted
 * and updated; the state is asked again when the row is locked, because a released record may have
 * been taken since.
 *
 * What goes with its partition is left alone until then: deleting it first would write all that
 * dropping saves. That is every record that is kept for as long as the partition's horizon.
 *
 * `layout` has one row. Without `limit 1` the planner expects hundreds of them, and as many times the
 * page, and reads the whole table to find a thousand ids.
 */
export async function pruneRows(
  database: Queryable,
  schema: string,
  { position, page }: { position: RowPosition; page: MaintenancePage },
): Promise<PruneReport> {
  const seen = pageOfRows(schema, position, page);
  const { table, rows, values } = seen;
  const report = answer({
    ...pageSeen(seen),
    pruned: '(select count(*) from deleted)',
    answers_dropped: '(select count(*) from emptied)',
  });
  const answers = await database.query(
    `with page as materialized (
       select id,
              ${schema}."may_go"(state, key_expires_at, answer_expires_at, clock.now) as may_go,
              answer_expires_at < clock.now as answer_expired,
              ${goesWithItsPartition(schema, position)} as goes_with_its_partition
         from ${rows},
              (select ${clock} as now) as clock,
              (select * from ${schema}."layout" limit 1) as layout
     ), going as materialized (
       select id
         from ${table}
        where id in (select id from page where may_go and not goes_with_its_partition)
          and state in (${state.completed}, ${state.released})
          for update skip locked
     ), deleted as (
       delete from ${table}
        where id in (select id from going)
          and state in (${state.completed}, ${state.released})
    returning 1
     ), outdated as materialized (
       select id
         from ${table}
        where id in (select id from page where answer_expired and not may_go)
          and state = ${state.completed}
          and outcome in (${outcomeCode.success}, ${outcomeCode.failure})
          for update skip locked
     ), emptied as (
       update ${table}
          set outcome = ${outcomeCode.expired},
              body    = null
        where id in (select id from outdated)
    returning 1
     )
     select ${report}`,
    values,
  );
  const [row] = readAnswers<PrunedRow>(answers);
  if (!row) throw new Error('PostgreSQL answered a count with no row at all');
  const { pruned, answers_dropped: answersDropped } = row;
  return { cursor: cursorAfter(position, row, page), pruned, answersDropped };
}

function goesWithItsPartition(schema: string, { table }: RowPosition): string {
  if (table === 'opaque_records') return 'false';
  const start = `${schema}."key_ms"(id) / width_ms * width_ms`;
  return `(held.tableoid <> '${schema}."records"'::regclass
                and key_expires_at >= ${instant(`(${start} + horizon_ms)::float8`)})`;
}

interface PrunedRow extends PageSeen {
  readonly pruned: number;
  readonly answers_dropped: number;
}
