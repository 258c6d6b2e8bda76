import type { MaintenancePage, PruneReport } from '@onceward/core/store';
import type { Queryable } from '../database/database.ts';
import { cursorAfter, type PageSeen, positionOf } from '../maintenance-cursor.ts';
import { clock } from './clock.ts';
import { outcomeCode } from './outcome-code.ts';
import { state } from './state.ts';

/**
 * Deletes the records on one page whose key cannot be presented any more, and drops answers that
 * are past their retention from records that stay.
 *
 * A record stays for as long as its answer was promised, even if its key has run out: an intent
 * may have been completed late. What is in progress or unknown stays, however old: deleting it would be deciding that it did not
 * happen. The clock is read once per row, so that no row is both deleted and updated; the state is
 * asked again when the row is locked, because a released record may have been taken since.
 */
export async function prune(
  database: Queryable,
  schema: string,
  page: MaintenancePage,
): Promise<PruneReport> {
  const position = positionOf(page);
  const table = `${schema}."${position.table}"`;
  const [row] = await database.query<PrunedRow>(
    `with page as materialized (
       select id,
              key_expires_at < clock.now
                and (answer_expires_at < clock.now or answer_expires_at is null
                  or answer_expires_at = 'infinity') as key_expired,
              answer_expires_at < clock.now as answer_expired
         from ${table}, (select ${clock} as now) as clock
        where id > $1::uuid
        order by id
        limit $2::int4
     ), expired as materialized (
       select id
         from ${table}
        where id in (select id from page where key_expired)
          and state in (${state.completed}, ${state.released})
          for update skip locked
     ), deleted as (
       delete from ${table}
        where id in (select id from expired)
          and state in (${state.completed}, ${state.released})
    returning 1
     ), outdated as materialized (
       select id
         from ${table}
        where id in (select id from page where answer_expired and not key_expired)
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
     select (select count(*) from page)::int4 as looked,
            (select id::text from page order by id desc limit 1) as last,
            (select count(*) from deleted)::int4 as pruned,
            (select count(*) from emptied)::int4 as answers_dropped`,
    [position.after, page.limit],
  );
  if (!row) throw new Error('PostgreSQL answered a count with no row at all');
  const { pruned, answers_dropped: answersDropped } = row;
  return { cursor: cursorAfter(position, row, page), pruned, answersDropped };
}

interface PrunedRow extends PageSeen {
  readonly pruned: number;
  readonly answers_dropped: number;
}
