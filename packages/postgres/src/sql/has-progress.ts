import type { Lease } from '@onceward/core/store';
import type { Queryable } from '../database/database.ts';
import type { RecordAddress } from '../record-address.ts';
import { answer, readAnswers } from './answer.ts';

/** Whether an entry is part of a record's progress. */
export async function hasProgress(
  database: Queryable,
  address: RecordAddress,
  { lease, entry, wait }: ProgressQuestion,
): Promise<boolean> {
  const found = await database.query(
    `select ${answer({ found: 'position($3::bytea in body) > 0' })}
       from ${address.table}
      where id = $1::uuid
        and token = $2::uuid
        ${wait ? 'for share' : ''}`,
    [address.id, lease.token, entry],
  );
  return readAnswers<{ found: boolean | null }>(found)[0]?.found === true;
}

export interface ProgressQuestion {
  readonly lease: Lease;
  readonly entry: Uint8Array;
  /** For a transaction that has appended and not ended. */
  readonly wait: boolean;
}
