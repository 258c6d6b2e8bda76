import type { Queryable } from '../database/database.ts';
import { answer, readAnswers } from '../sql/answer.ts';
import { clockMs, toMs } from '../sql/clock.ts';
import { state } from '../sql/state.ts';

export interface LeaseMarginRequest {
  /** For how long answers are kept from completion on, as your engine has it. */
  readonly answerRetentionMs: number;
  /** Only keys that were minted so recently. */
  readonly mintedWithinMs: number;
}

/** How close the attempts of one operation came to losing their lease. */
export interface LeaseMargin {
  readonly operation: string;
  /** How many completed records this is about. */
  readonly completed: number;
  /** 99 of 100 had at least so much left of their lease when they completed. */
  readonly leftMs: number;
  /** The worst of them; negative when it completed after its lease had run out. */
  readonly leastLeftMs: number;
}

/**
 * Tells from completed records how much was left of their leases.
 *
 * When a record was completed is not stored: it is taken from when its answer expires, so an
 * operation with an answer retention of its own is off by the difference. What was ever unknown is
 * left out, because evidence settles it whenever it likes. An `atomic` mutation has a lease as long
 * as it was asked for, and never uses any of it.
 */
export async function listLeaseMargins(
  database: Queryable,
  schema: string,
  { answerRetentionMs, mintedWithinMs }: LeaseMarginRequest,
): Promise<LeaseMargin[]> {
  const margin = answer({
    operation: 'operation',
    completed: 'count(*)',
    leftMs: 'percentile_cont(0.01) within group (order by left_ms)',
    leastLeftMs: 'min(left_ms)',
  });
  const rows = await database.query(
    `select ${margin}
       from (select operation,
                    ${toMs('lease_expires_at')} - (${toMs('answer_expires_at')} - $1::float8)
                      as left_ms
               from ${schema}."records"
              where id >= ${schema}."first_id"(greatest(0, ${clockMs} - $2::float8)::int8)
                and state = ${state.completed}
                and unknown_since is null
                and isfinite(answer_expires_at)
                and isfinite(lease_expires_at)) as finished
      group by operation
      order by operation`,
    [answerRetentionMs, mintedWithinMs],
  );
  return readAnswers<LeaseMargin>(rows);
}
