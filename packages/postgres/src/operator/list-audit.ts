import type { Queryable } from '../database/database.ts';
import { toMs } from '../sql/clock.ts';

/** What somebody did to a record, and why. */
export interface AuditEntry {
  readonly at: number;
  readonly actor: string;
  /** `settle: executed`, `settle: not-executed` or `bust`. */
  readonly action: string;
  readonly recordId: string;
  readonly scope: string;
  readonly key: string;
  readonly operation: string;
  /** As it was given; `null` if nothing was. */
  readonly evidence: unknown;
}

export interface AuditFilter {
  /** Only what was done to this record. */
  readonly recordId?: string | undefined;
  /** @defaultValue `50` */
  readonly limit?: number | undefined;
  /** From the last page; absent to start with the newest. */
  readonly cursor?: string | undefined;
}

export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  readonly cursor?: string | undefined;
}

/** Lists what people did, newest first. */
export async function listAudit(
  database: Queryable,
  schema: string,
  { recordId, limit = 50, cursor }: AuditFilter = {},
): Promise<AuditPage> {
  if (cursor !== undefined && !/^\d{1,18}$/.test(cursor)) {
    throw new TypeError('Expected `cursor` to come from the last page');
  }
  const rows = await database.query<AuditRow>(
    `select id::text as sequence,
            ${toMs('at')} as at, actor, action, record_id::text, scope, key, operation, evidence
       from ${schema}."audit"
      where ($1::int8 is null or id < $1::int8)
        and ($2::uuid is null or record_id = $2::uuid)
      order by id desc
      limit $3::int4`,
    [cursor ?? null, recordId ?? null, limit],
  );
  const entries = rows.map(({ at, actor, action, record_id, scope, key, operation, evidence }) => ({
    ...{ at, actor, action, recordId: record_id, scope, key, operation, evidence },
  }));
  const last = rows.at(-1);
  return last && rows.length === limit ? { entries, cursor: last.sequence } : { entries };
}

interface AuditRow extends Omit<AuditEntry, 'recordId'> {
  readonly sequence: string;
  readonly record_id: string;
}
