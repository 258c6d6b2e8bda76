import type { Queryable } from '../database/database.ts';
import { answer, readAnswers } from '../sql/answer.ts';
import { clockMs, toMs } from '../sql/clock.ts';
import { state } from '../sql/state.ts';
import { newestRecords, type Sample, sampleValues } from './newest-records.ts';
import {
  type RecordListing,
  listingExpressions,
  listingFrom,
  type ListingRow,
} from './record-listing.ts';

export interface SlowRequest extends Sample {
  /** For how long answers are kept from completion on, as your engine has it. */
  readonly answerRetentionMs: number;
  /** How many of each to list. */
  readonly limit: number;
}

/** The records that took longest, and those that take long. */
export interface Slow {
  /** In progress: those first whose lease ran out longest ago, or runs out next. */
  readonly inProgress: readonly RecordListing[];
  /** Completed: those first that took longest, from the minting of their key on. */
  readonly completed: readonly (RecordListing & { readonly tookMs: number })[];
}

/**
 * The keys of the sample that took, or take, longest; and as many opaque keys in progress.
 *
 * When a record was completed is not stored: it is taken from when its answer expires. What was ever
 * unknown is left out, because evidence settles it whenever it likes; and so is what would have been
 * completed before its key was minted, which is an answer with another retention.
 */
export async function listSlow(
  database: Queryable,
  schema: string,
  request: SlowRequest,
): Promise<Slow> {
  const { answerRetentionMs, limit, sampleSize } = request;
  const inProgress = `select ${answer(listingExpressions)}
       from sample
      where state = ${state.inProgress}
      order by lease_expires_at
      limit $3::int4`;
  const timed = await database.query(`with sample as ${newestRecords(schema)} ${inProgress}`, [
    ...sampleValues(request),
    limit,
  ]);
  const opaque = await database.query(
    `with sample as (select * from ${schema}."opaque_records" limit $1::int4)
     ${inProgress.replace('$3', '$2')}`,
    [sampleSize, limit],
  );
  const took = `${toMs('answer_expires_at')} - $3::float8 - ${schema}."key_ms"(id)`;
  const completed = await database.query(
    `with sample as ${newestRecords(schema)},
          timed as (select *, ${took} as took_ms from sample
                     where state = ${state.completed}
                       and unknown_since is null
                       and isfinite(answer_expires_at))
     select ${answer({ ...listingExpressions, took_ms: 'took_ms' })}
       from timed
      where took_ms between 0 and ${clockMs} - ${schema}."key_ms"(id) + 1000
      order by took_ms desc
      limit $4::int4`,
    [...sampleValues(request), answerRetentionMs, limit],
  );
  return {
    inProgress: [
      ...readAnswers<ListingRow>(timed).map((row) => listingFrom(row, 'records')),
      ...readAnswers<ListingRow>(opaque).map((row) => listingFrom(row, 'opaque_records')),
    ]
      .sort((one, other) => (one.leaseExpiresAt ?? 0) - (other.leaseExpiresAt ?? 0))
      .slice(0, limit),
    completed: readAnswers<ListingRow & { took_ms: number }>(completed).map((row) => ({
      ...listingFrom(row, 'records'),
      tookMs: row.took_ms,
    })),
  };
}
