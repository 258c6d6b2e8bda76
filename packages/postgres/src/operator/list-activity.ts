import type { Queryable } from '../database/database.ts';
import { answer, jsonText, readAnswers } from '../sql/answer.ts';
import { clock, clockMs } from '../sql/clock.ts';
import { outcomeCode } from '../sql/outcome-code.ts';
import { state } from '../sql/state.ts';
import { newestRecords, type Sample, sampleValues } from './newest-records.ts';

export interface ActivityRequest extends Sample {
  /** How much time one count is about. */
  readonly bucketMs: number;
}

/** Keys by what became of them. */
export interface KeyCounts {
  /** It took effect. */
  readonly succeeded: number;
  /** A failure was stored. */
  readonly failed: number;
  /** An attempt holds the lease. */
  readonly inProgress: number;
  /** An attempt held the lease when it died, and nobody has swept it. */
  readonly stuck: number;
  readonly released: number;
  readonly unknown: number;
}

/** What became of the newest keys, over time. */
export interface Activity {
  /** By the database. */
  readonly databaseNow: number;
  /** Keys by the time they were minted at; spans without a key are left out. */
  readonly buckets: readonly (KeyCounts & { readonly at: number })[];
  /** Of the twenty operations that have most of them. */
  readonly operations: readonly (KeyCounts & { readonly operation: string })[];
  /** How many keys this is about. */
  readonly keys: number;
  /**
   * Set if there were more keys than the sample holds: nothing is known of those that were minted
   * before this.
   */
  readonly knownSince?: number | undefined;
}

/**
 * Counts the newest keys by the time they were minted at, and by what became of them.
 *
 * Reads at most the sample, through the index. Opaque keys have no time, and are not in it.
 */
export async function listActivity(
  database: Queryable,
  schema: string,
  request: ActivityRequest,
): Promise<Activity> {
  const keyMs = `${schema}."key_ms"(id)`;
  const grouped = (by: Readonly<Record<string, string>>, rest: string) =>
    `(select coalesce(json_agg(${jsonText({ ...by, ...counts })}::json), '[]') ${rest})`;
  const rows = await database.query(
    `with newest as materialized ${newestRecords(schema)},
          minted as (select *, floor(${keyMs} / $3::float8) * $3::float8 as at from newest),
          by_bucket as (select at, ${countColumns} from minted group by at),
          by_operation as (select operation, ${countColumns} from newest
                            group by operation order by count(*) desc, operation limit 20)
     select ${answer({
       databaseNow: clockMs,
       keys: '(select count(*) from newest)',
       oldest: `(select ${keyMs} from newest order by id limit 1)`,
       buckets: grouped({ at: 'at' }, 'from (select * from by_bucket order by at) as sorted'),
       operations: grouped({ operation: 'operation' }, 'from by_operation'),
     })}`,
    [...sampleValues(request), request.bucketMs],
  );
  const [row] = readAnswers<ActivityRow>(rows);
  if (!row) throw new Error('PostgreSQL answered a count with no row at all');
  const { oldest, ...activity } = row;
  const isWhole = row.keys < request.sampleSize;
  return { ...activity, ...(isWhole || oldest === null ? {} : { knownSince: oldest }) };
}

type ActivityRow = Omit<Activity, 'knownSince'> & { readonly oldest: number | null };

const conditions: Readonly<Record<keyof KeyCounts, string>> = {
  succeeded: `state = ${state.completed} and outcome <> ${outcomeCode.failure}`,
  failed: `state = ${state.completed} and outcome = ${outcomeCode.failure}`,
  inProgress: `state = ${state.inProgress} and lease_expires_at > ${clock}`,
  stuck: `state = ${state.inProgress} and lease_expires_at <= ${clock}`,
  released: `state = ${state.released}`,
  unknown: `state = ${state.unknown}`,
};

const countColumns = Object.entries(conditions)
  .map(([name, condition]) => `count(*) filter (where ${condition}) as "${name}"`)
  .join(', ');

const counts = Object.fromEntries(Object.keys(conditions).map((name) => [name, `"${name}"`]));
