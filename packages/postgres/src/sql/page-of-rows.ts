import type { MaintenancePage } from '@onceward/core/store';
import { diskPagesOf, type PageSeen, type RowPosition } from '../maintenance-cursor.ts';

/** The rows that one page of maintenance looks at: what follows `from` in a statement. */
export interface PageOfRows {
  /** `records` with its partitions, or `opaque_records`. */
  readonly table: string;
  /** The rows of the page, as `held`. */
  readonly rows: string;
  readonly values: readonly unknown[];
}

export function pageOfRows(
  schema: string,
  position: RowPosition,
  page: MaintenancePage,
): PageOfRows {
  const table = `${schema}."${position.table}"`;
  if (position.table === 'records') {
    const rows = `(select tableoid, * from ${table}
                    where id > $1::uuid
                    order by id
                    limit $2::int4) as held`;
    return { table, rows, values: [position.after, page.limit] };
  }
  // By where they lie: no index is read, and none is needed.
  const rows = `(select tableoid, * from ${table}
                    where ctid >= $1::tid
                      and ctid <  $2::tid) as held`;
  const { fromDiskPage } = position;
  const values = [fromDiskPage, fromDiskPage + diskPagesOf(page)].map((at) => `(${at},0)`);
  return { table, rows, values };
}

/** The expressions of {@link PageSeen}, over a CTE `page` with the ids that were looked at. */
export function pageSeen({ table }: PageOfRows): Readonly<Record<keyof PageSeen, string>> {
  return {
    looked: '(select count(*) from page)',
    last: '(select id from page order by id desc limit 1)',
    disk_pages: `pg_relation_size('${table}') / current_setting('block_size')::int8`,
  };
}
