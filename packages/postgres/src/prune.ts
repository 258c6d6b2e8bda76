import type { MaintenancePage, PruneReport } from '@onceward/core/store';
import type { Queryable } from './database/database.ts';
import { cursorAt, firstPartition, firstRecord, positionOf } from './maintenance-cursor.ts';
import { createPartitions } from './sql/create-partitions.ts';
import { pruneRows } from './sql/prune-rows.ts';
import { retirePartition } from './sql/retire-partition.ts';

/**
 * Makes the partitions that will be needed, drops those that are due, and deletes what is past its
 * retention elsewhere: one step or one page at a time.
 *
 * A partition that is in use is left for the next time, like a row.
 */
export async function prune(
  database: Queryable,
  schema: string,
  page: MaintenancePage,
): Promise<PruneReport> {
  const position = page.cursor === undefined ? firstPartition : positionOf(page.cursor);
  if (position.table !== 'partitions') return pruneRows(database, schema, { position, page });

  if (page.cursor === undefined) await createPartitions(database, schema);
  const { step, dropped, next } = await retirePartition(database, schema, { position, page });
  if (step === 'busy' || step === 'done') {
    return pruneRows(database, schema, { position: firstRecord, page });
  }
  // After a drop the next one may be due, and there is no name to go on with.
  const cursor = cursorAt(next);
  return { cursor, pruned: dropped, answersDropped: 0 };
}
