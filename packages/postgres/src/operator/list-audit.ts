import type { Queryable } from '../database/database.ts';
import { answer, readAnswers } from '../sql/answer.ts';
import { toMs } from '../sql/clock.ts';

/** What somebody did to a record or a job, and why. */
export interface AuditEntry {
  readonly at: number;
  readonly actor: string;
  /**
   * Of a record: `settle: executed`, `settle: not-executed`, `bust` or `view answer`. Of a job:
   * `retry job`, `discard job` or `view payload`.
   */
  readonly action: string;
  /** `null` if it was a job. */
  readonly recordId: string | null;
  /** `null` if it was a record. */
  readonly jobId: string | null;
  /** `null` if it was a job, which has none. */
  readonly scope: string | null;
  readonly key: string;
  /** Or the task of the job. */
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
    ...{ recordId: 'record_id', jobId: 'job_id::text', scope: 'scope', key: 'key' },
    operation: 'operation',
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

function entryFrom({ sequence, ...entry }: AuditRow): AuditEntry {
  void sequence;
  return entry;
}

interface AuditRow extends AuditEntry {
  readonly sequence: string;
}
