import type { Statement } from '../database/database.ts';
import type { RecordAddress, TableAddress } from '../record-address.ts';

/** The statements by which a batch is sent, and how to read what comes back. */
export interface FlightPlan<Answer> {
  readonly statements: readonly Statement[];
  /** An answer for each item, as far as there is one, from the rows of each statement. */
  readonly read: (rows: readonly unknown[][]) => readonly (Answer | undefined)[];
}

/** Something to be done to one record, that can be done to many records of a table at once. */
export interface Batchable<Item, Answer> {
  readonly one: (item: Item) => FlightPlan<Answer>;
  readonly many: (table: TableAddress, items: readonly Item[]) => FlightPlan<Answer>;
}

/** Plans for items that are sorted by table. */
export function planFlight<Item extends { readonly address: RecordAddress }, Answer>(
  { one, many }: Batchable<Item, Answer>,
  items: readonly Item[],
): FlightPlan<Answer> {
  const [first, ...others] = items;
  if (first && others.length === 0) return one(first);

  const plans = sameTableRuns(items).map(({ table, run }) => many(table, run));
  return {
    statements: [openBatch, ...plans.flatMap(({ statements }) => statements)],
    read([, ...rows]) {
      return plans.flatMap(({ statements, read }) => read(rows.splice(0, statements.length)));
    },
  };
}

/**
 * The first statement of a flight for more than one.
 *
 * Nobody in a batch waits for a row that one of them cannot have: they are all sent one by one
 * then, and only that one waits. And a plan that was made while the table was small, and is kept
 * when it no longer is, must not be a scan of the table, nor lock rows in their order on disk.
 */
export const openBatch: Statement = {
  text: `select set_config('lock_timeout', $1::text, true),
            set_config('enable_seqscan', 'off', true),
            set_config('enable_bitmapscan', 'off', true),
            set_config('plan_cache_mode', 'force_generic_plan', true)`,
  values: ['100ms'],
};

function sameTableRuns<Item extends { readonly address: RecordAddress }>(
  items: readonly Item[],
): readonly { readonly table: TableAddress; readonly run: readonly Item[] }[] {
  const runs: { table: TableAddress; run: Item[] }[] = [];
  for (const item of items) {
    const current = runs.at(-1);
    if (current?.table.table === item.address.table) current.run.push(item);
    else runs.push({ table: item.address, run: [item] });
  }
  return runs;
}
