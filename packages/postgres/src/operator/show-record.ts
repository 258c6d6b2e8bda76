import type { RecordName, StaleLeasePolicy } from '@onceward/core/store';
import type { Queryable } from '../database/database.ts';
import type { RecordAddress } from '../record-address.ts';
import { answer, fromHex, hex, readAnswers } from '../sql/answer.ts';
import { state } from '../sql/state.ts';
import { type AuditEntry, listAudit } from './list-audit.ts';
import {
  type RecordListing,
  listingExpressions,
  listingFrom,
  type ListingRow,
} from './record-listing.ts';

/** A record as a whole. */
export interface RecordDetails extends RecordListing {
  /** In which table it is: its partition, or `records` if it has outlived that. */
  readonly table: string;
  readonly fingerprintVersion: number;
  readonly onStaleLease: StaleLeasePolicy;
  /** How many bytes of answer, or of progress, are stored. */
  readonly bodyBytes: number;
  /** The answer as it is stored, which may be encrypted; only if it was asked for. */
  readonly answer?: Uint8Array;
  /** What people did to it, newest first. */
  readonly audit: readonly AuditEntry[];
}

/** What is shown of a record besides its state. */
export interface ShowOptions {
  /** Whether the answer is to be shown: it may hold what an operator has no business to know. */
  readonly answer?: boolean | undefined;
  /** Who wants to see the answer: written down by the statement that reads it. */
  readonly actor?: string | undefined;
}

export async function showRecord(
  database: Queryable,
  address: RecordAddress,
  { name, answer: withAnswer = false, actor }: { name: RecordName } & ShowOptions,
): Promise<RecordDetails | undefined> {
  const details = answer({
    ...listingExpressions,
    table_name: '(select relname from pg_class where oid = held.tableoid)',
    fingerprint_version: 'fingerprint_version',
    re_executable: 're_executable',
    body_bytes: 'coalesce(octet_length(body), 0)',
    answer: `case when $2::bool and state = ${state.completed} then ${hex('body')} end`,
  });
  const rows = await database.query(
    `with noted as (
       insert into ${address.schema}."audit" (record_id, scope, key, operation, actor, action)
       select id, scope, key::text, operation, $3::text, 'view answer'
         from ${address.family}
        where id = $1::uuid and state = ${state.completed} and body is not null
          and $2::bool and $3::text is not null
     )
     select ${details}
       from ${address.family} as held
      where id = $1::uuid`,
    [address.id, withAnswer, actor ?? null],
  );
  const [row] = readAnswers<DetailsRow>(rows);
  if (!row) return undefined;
  const table = name.keyTimestampMs === null ? 'opaque_records' : 'records';
  const stored = fromHex(row.answer);
  return {
    ...listingFrom(row, table),
    table: row.table_name,
    fingerprintVersion: row.fingerprint_version,
    onStaleLease: row.re_executable ? 're-execute' : 'unknown',
    bodyBytes: row.body_bytes,
    ...(stored === null ? {} : { answer: stored }),
    audit: (await listAudit(database, address.schema, { recordId: address.id })).entries,
  };
}

interface DetailsRow extends ListingRow {
  readonly table_name: string;
  readonly fingerprint_version: number;
  readonly re_executable: boolean;
  readonly body_bytes: number;
  readonly answer: string | null;
}
