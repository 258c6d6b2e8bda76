import { type IdempotencyKey, keyTimestamp } from '@onceward/core';
import type { RecordName } from '@onceward/core/store';
import type { Queryable } from '../database/database.ts';
import { answer, readAnswers } from '../sql/answer.ts';
import { clock, toMs } from '../sql/clock.ts';

/** An unknown record, and who is to find out what became of it. It can stand for its own name. */
export interface LookupListing extends RecordName {
  readonly recordId: string;
  readonly operation: string;
  readonly attempt: number;
  readonly unknownSince: number;
  /** How often a reconciler has begun to look. */
  readonly looks: number;
  /**
   * - `waiting`: a reconciler will look at `dueAt`;
   * - `looking`: one does, and has until `dueAt`;
   * - `dead`: they have given up since `deadAt`, and a person has to find out.
   */
  readonly state: 'waiting' | 'looking' | 'dead';
  readonly dueAt: number;
  readonly deadAt?: number;
}

/** Which look-ups are asked for. */
export interface LookupFilter {
  readonly state?: LookupListing['state'] | undefined;
  readonly operation?: string | undefined;
  /** Only the one of this record. */
  readonly recordId?: string | undefined;
  /** @defaultValue `50` */
  readonly limit?: number | undefined;
}

/** Lists look-ups, those first that have been unknown for longest. */
export async function listLookups(
  database: Queryable,
  schema: string,
  { state, operation, recordId, limit = 50 }: LookupFilter = {},
): Promise<readonly LookupListing[]> {
  const lookup = answer({
    ...{ recordId: 'record_id', scope: 'scope', key: 'key', opaque: 'opaque' },
    ...{ operation: 'operation', attempt: 'attempt', looks: 'looks', state: 'stage' },
    unknownSince: toMs('unknown_since'),
    dueAt: toMs('due_at'),
    deadAt: toMs('dead_at'),
  });
  const rows = await database.query(
    `select ${lookup}
       from (select *, ${stage} as stage from ${schema}."lookups") as staged
      where ($1::text is null or stage = $1::text)
        and ($2::text is null or operation = $2::text)
        and ($3::uuid is null or record_id = $3::uuid)
      order by unknown_since
      limit $4::int4`,
    [state ?? null, operation ?? null, recordId ?? null, limit],
  );
  return readAnswers<LookupRow>(rows).map(({ opaque, deadAt, ...lookup }) => ({
    ...lookup,
    keyTimestampMs: opaque ? null : keyTimestamp(lookup.key),
    ...(deadAt === null ? {} : { deadAt }),
  }));
}

/** Of a row of the look-ups. */
export const stage = `case when dead_at is not null then 'dead'
                         when token is not null and due_at > ${clock} then 'looking'
                         else 'waiting' end`;

interface LookupRow extends Omit<LookupListing, 'keyTimestampMs' | 'deadAt'> {
  readonly key: IdempotencyKey;
  readonly opaque: boolean;
  readonly deadAt: number | null;
}
