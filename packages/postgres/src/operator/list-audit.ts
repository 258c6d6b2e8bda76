import type { Queryable } from '../database/database.ts';
import { answer, readAnswers } from '../sql/answer.ts';
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

/** Which entries of the audit are asked for. */
export interface AuditFilter {
  /** Only what was done to this record. */
  readonly recordId?: string | undefined;
  /** @defaultValue `50` */
  readonly limit?: number | undefined;
  /** From the last page; absent to start with the newest. */
  readonly cursor?: string | undefined;
}

/** A page of the audit. */
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
  const entry = answer({
    ...{ sequence: 'id::text', at: toMs('at'), actor: 'actor', action: 'action' },
    ...{ recordId: 'record_id', scope: 'scope', key: 'key', operation: 'operation' },
    evidence: 'evidence',
  });
  const found = await database.query(
    `select ${entry}
       from ${schema}."audit"
      where ($1::int8 is null or id < $1::int8)
        and ($2::uuid is null or record_id = $2::uuid)
      order by id desc
      limit $3::int4`,
    [cursor ?? null, recordId ?? null, limit],
  );
  const rows = readAnswers<AuditRow>(found);
  const entries = rows.map(entryFrom);
  const last = rows.at(-1);
  return last && rows.length === limit ? { entries, cursor: last.sequence } : { entries };
}

function entryFrom({ at, actor, action, recordId, scope, key, operation, evidence }: AuditRow) {
  return { at, actor, action, recordId, scope, key, operation, evidence };
}

interface AuditRow extends AuditEntry {
  readonly sequence: string;
}
