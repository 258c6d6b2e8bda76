import type { Lease } from '@onceward/core/store';
import type { Queryable } from '../database/database.ts';
import type { RecordAddress } from '../record-address.ts';
import { answer, readAnswers } from './answer.ts';

/** Whether an entry is part of a record's progress. */
export async function hasProgress(
  database: Queryable,
  address: RecordAddress,
  { lease, entry }: ProgressQuestion,
): Promise<boolean> {
  const found = await database.query(
    `select ${answer({ found: 'position($3::bytea in body) > 0' })}
       from ${address.family}
      where id = $1::uuid
        and token = $2::uuid`,
    [address.id, lease.token, entry],
  );
  return readAnswers<{ found: boolean | null }>(found)[0]?.found === true;
}

/**
 * Waits for a transaction that is changing the record. What it waited for may have moved the
 * record, and the snapshot that began to wait sees it nowhere: read it by a statement of its own.
 */
export async function waitForRecord(open: Queryable, address: RecordAddress): Promise<void> {
  await open.query(`select 1 from ${address.family} where id = $1::uuid for share`, [address.id]);
}

export interface ProgressQuestion {
  readonly lease: Lease;
  readonly entry: Uint8Array;
}
