import type { Queryable } from '../database/database.ts';
import type { Layout } from '../partitions/layout.ts';

/** Reads how `records` is divided. What a closed partition still holds is not in `records` yet. */
export async function readLayout(database: Queryable, schema: string): Promise<Layout> {
  const [row] = await database.query<LayoutRow>(
    `select width_ms::float8,
            coalesce((select min(start_ms) from ${schema}."partitions" where state = 'closing'),
                     floor_ms)::float8 as kept_below_ms
       from ${schema}."layout"`,
  );
  if (!row) throw new Error(`The table "layout" of the schema ${schema} is empty`);
  return layoutFrom(row);
}

export interface LayoutRow {
  readonly width_ms: number | null;
  readonly kept_below_ms: number;
}

export function layoutFrom(row: LayoutRow): Layout {
  return { widthMs: row.width_ms, keptBelowMs: row.kept_below_ms };
}
