import type { Queryable } from '../database/database.ts';
import type { Layout } from '../partitions/layout.ts';
import { answer, readAnswers } from './answer.ts';

/** Reads how `records` is divided. What a closed partition still holds is not in `records` yet. */
export async function readLayout(database: Queryable, schema: string): Promise<Layout> {
  const layout = answer({
    width_ms: 'width_ms',
    kept_below_ms: `coalesce((select min(start_ms) from ${schema}."partition_spans"
                        where state = 'closing'), floor_ms)`,
  });
  const rows = await database.query(`select ${layout} from ${schema}."layout"`);
  const [row] = readAnswers<LayoutRow>(rows);
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
