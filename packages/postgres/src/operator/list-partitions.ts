import type { Queryable } from '../database/database.ts';
import { answer, readAnswers } from '../sql/answer.ts';
import { toMs } from '../sql/clock.ts';

/** One partition. */
export interface PartitionListing {
  readonly name: string;
  /** `closing`: what must stay is being moved out, and then it is dropped. */
  readonly state: 'open' | 'closing';
  /** The time of the keys in it: from here, until before there. */
  readonly from: number;
  readonly until: number;
  /** From when on pruning drops it. */
  readonly dueAt: number;
  /** As of the last time that it was analysed. */
  readonly estimatedRecords: number;
  /** With its index and its long answers. */
  readonly bytes: number;
}

/** The partitions of the records. */
export interface PartitionList {
  /** How much time each spans; `null` where there is one plain table. */
  readonly widthMs: number | null;
  readonly horizonMs: number;
  /** Oldest first. */
  readonly partitions: readonly PartitionListing[];
  /** The table itself, with what has outlived its partition, or never had one. */
  readonly kept: { readonly estimatedRecords: number; readonly bytes: number };
}

export async function listPartitions(database: Queryable, schema: string): Promise<PartitionList> {
  const layouts = await database.query(
    `select ${answer({
      widthMs: 'width_ms',
      horizonMs: 'horizon_ms',
      estimatedRecords: 'greatest(reltuples, 0)',
      bytes: 'pg_total_relation_size(pg_class.oid)',
    })}
       from ${schema}."layout", pg_class
      where pg_class.oid = '${schema}."records"'::regclass`,
  );
  const [layout] = readAnswers<LayoutRow>(layouts);
  if (!layout) throw new Error(`The table "layout" of the schema ${schema} is empty`);
  const { widthMs, horizonMs, ...kept } = layout;
  const rows = await database.query(
    `select ${answer({
      name: 'name',
      state: 'state',
      from: toMs('from_at'),
      until: toMs('until_at'),
      dueAt: toMs('due_at'),
      estimatedRecords: 'estimated_records',
      bytes: 'bytes',
    })}
       from ${schema}."partitions"
      order by from_at`,
  );
  const partitions = readAnswers<PartitionListing>(rows);
  return { widthMs, horizonMs, partitions, kept };
}

interface LayoutRow {
  readonly widthMs: number | null;
  readonly horizonMs: number;
  readonly estimatedRecords: number;
  readonly bytes: number;
}
