import type { Queryable } from '../../database/database.ts';
import { clockMs, duration, instant } from '../../sql/clock.ts';

/** Deletes messages that were processed so long ago, a page at a time; answers with how many. */
export async function pruneMessages(
  database: Queryable,
  schema: string,
  { source, retentionMs }: { source: string; retentionMs: number },
): Promise<number> {
  if (duration(retentionMs) === Infinity) return 0;
  for (let pruned = 0; ;) {
    const rows = await database.query(
      `with old as materialized (
         select id
           from ${schema}."inbox_messages"
          where source = $1::text
            and processed_at < (select ${instant(`${clockMs} - $2::float8`)})
          order by processed_at
          limit ${PAGE}
            for update skip locked
       )
       delete from ${schema}."inbox_messages"
        where id in (select id from old)
    returning 1`,
      [source, retentionMs],
    );
    pruned += rows.length;
    if (rows.length < PAGE) return pruned;
  }
}

const PAGE = 1_000;
