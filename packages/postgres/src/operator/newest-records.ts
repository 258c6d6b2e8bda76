import { clockMs } from '../sql/clock.ts';

/** Which records to look at: the newest keys of a span of time, and not more than so many. */
export interface Sample {
  /** Only keys that were minted so recently. */
  readonly mintedWithinMs: number;
  /** At most so many of them, the newest. */
  readonly sampleSize: number;
}

/**
 * Those records, without their answers; `$1` and `$2` are {@link sampleValues}.
 *
 * Ids begin with the time of their key, so the index has them in this order, and nothing older is
 * read. The time is a subquery: with a clock that goes on, the index could not be used.
 */
export function newestRecords(schema: string): string {
  const since = `${schema}."first_id"(greatest(0, ${clockMs} - $1::float8)::int8)`;
  return `(select id, key, scope, operation, state, outcome, attempt, lease_expires_at,
                  unknown_since, answer_expires_at, key_expires_at
             from ${schema}."records"
            where id >= (select ${since})
            order by id desc
            limit $2::int4)`;
}

export function sampleValues({ mintedWithinMs, sampleSize }: Sample): unknown[] {
  return [mintedWithinMs, sampleSize];
}
