import type { Queryable } from '../database/database.ts';
import { toMs } from '../sql/clock.ts';

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
  const [layout] = await database.query<LayoutRow>(
    `select width_ms::float8 as "widthMs",
            horizon_ms::float8 as "horizonMs",
            greatest(reltuples, 0)::float8 as "estimatedRecords",
            pg_total_relation_size(pg_class.oid)::float8 as bytes
       from ${schema}."layout", pg_class
      where pg_class.oid = '${schema}."records"'::regclass`,
  );
  if (!layout) throw new Error(`The table "layout" of the schema ${schema} is empty`);
  const { widthMs, horizonMs, ...kept } = layout;
  const partitions = await database.query<PartitionListing>(
    `select name, state,
            ${toMs('from_at')} as "from",
            ${toMs('until_at')} as "until",
            ${toMs('due_at')} as "dueAt",
            estimated_records::float8 as "estimatedRecords",
            bytes::float8 as bytes
       from ${schema}."partitions"
      order by start_ms`,
  );
  return { widthMs, horizonMs, partitions, kept };
}

interface LayoutRow {
  readonly widthMs: number | null;
  readonly horizonMs: number;
  readonly estimatedRecords: number;
  readonly bytes: number;
}
