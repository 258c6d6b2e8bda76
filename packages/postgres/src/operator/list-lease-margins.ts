import type { Queryable } from '../database/database.ts';
import { answer, readAnswers } from '../sql/answer.ts';
import { clockMs, toMs } from '../sql/clock.ts';
import { state } from '../sql/state.ts';

/** Which attempts are looked at. */
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
  /** How many are left out: with that retention they were completed before they began, or will be. */
  readonly implausible: number;
  /** 99 of 100 had at least so much left when they completed; negative: it had run out. */
  readonly leftMs: number | null;
}

/**
 * Tells from completed records how much was left of their leases.
 *
 * When a record was completed is not stored: it is taken from when its answer expires. An operation
 * with an answer retention of its own is noticed by that. What was ever unknown is left out, because
 * evidence settles it whenever it likes. An `atomic` mutation never uses any of its lease.
 */
export async function listLeaseMargins(
  database: Queryable,
  schema: string,
  { answerRetentionMs, mintedWithinMs }: LeaseMarginRequest,
): Promise<LeaseMargin[]> {
  const margin = answer({
    operation: 'operation',
    completed: 'count(*) filter (where plausible)',
    implausible: 'count(*) filter (where not plausible)',
    leftMs: 'percentile_cont(0.01) within group (order by left_ms) filter (where plausible)',
  });
  const completedMs = `(${toMs('answer_expires_at')} - $1::float8)`;
  const rows = await database.query(
    `select ${margin}
       from (select operation,
                    ${toMs('lease_expires_at')} - ${completedMs} as left_ms,
                    ${completedMs} between ${schema}."key_ms"(id) - ${SKEW_MS}
                                       and ${clockMs} + 1000 as plausible
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

/** How far the clock of whoever minted the key may be ahead. */
const SKEW_MS = 600_000;
