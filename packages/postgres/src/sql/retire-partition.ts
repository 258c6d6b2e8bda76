import type { MaintenancePage } from '@onceward/core/store';
import type { Queryable } from '../database/database.ts';
import type { PartitionPosition } from '../maintenance-cursor.ts';
import { answer, readAnswers } from './answer.ts';

/** One step towards dropping the partitions that are due: see the migrations. */
export async function retirePartition(
  database: Queryable,
  schema: string,
  { position, page }: { position: PartitionPosition; page: MaintenancePage },
): Promise<RetireStep> {
  const retired = answer({
    step: 'step',
    next_name: 'next_name',
    next_page: 'next_page',
    dropped: 'dropped',
  });
  const rows = await database.query(
    `select ${retired}
       from ${schema}."retire_partition"($1::text, $2::int8, $3::int8)`,
    // A page of disk for each record: they are read in order, and few are written.
    [position.name, position.fromDiskPage, page.limit],
  );
  const [row] = readAnswers<RetiredRow>(rows);
  if (!row) throw new Error('PostgreSQL answered a step with no row at all');
  const { step, next_name: name, next_page: fromDiskPage, dropped } = row;
  return { step, dropped, next: { table: 'partitions', name, fromDiskPage } };
}

export interface RetireStep {
  readonly step: 'closed' | 'moved' | 'dropped' | 'busy' | 'done';
  /** Records that went with their partition. */
  readonly dropped: number;
  readonly next: PartitionPosition;
}

interface RetiredRow {
  readonly step: RetireStep['step'];
  readonly next_name: string | null;
  readonly next_page: number;
  readonly dropped: number;
}
