import type { FencingToken } from '@onceward/core/store';
import type { Queryable } from '../database/database.ts';
import type { RecordAddress } from '../record-address.ts';
import { state } from './state.ts';

/** Whether this very attempt completed the record. */
export async function isCompletedBy(
  database: Queryable,
  address: RecordAddress,
  token: FencingToken,
): Promise<boolean> {
  const rows = await database.query(
    `select 1
       from ${address.family}
      where id = $1::uuid
        and token = $2::uuid
        and state = ${state.completed}`,
    [address.id, token],
  );
  return rows.length === 1;
}
