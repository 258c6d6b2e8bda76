import type { ReserveRequest } from '@onceward/core/store';
import type { Queryable } from '../database/database.ts';
import type { RecordAddress } from '../record-address.ts';
import { givenOne } from './given.ts';
import {
  givenRecord,
  keyMayBeNew,
  newRecordColumns,
  newRecordExpressions,
  newRecordValues,
} from './new-record.ts';
import { perTable } from './per-table.ts';
import { state } from './state.ts';

/**
 * Grants the first lease of a record that does not exist.
 *
 * `do nothing`, never `do update`: that would lock and rewrite the row on every replay. It still
 * waits for whoever is updating the row, so the sub-select looks first, and does not wait.
 */
export async function insertReserved(
  database: Queryable,
  address: RecordAddress,
  request: ReserveRequest,
): Promise<'inserted' | 'not-inserted'> {
  const rows = await database.query(insertText(address), newRecordValues(address, request));
  return rows.length === 1 ? 'inserted' : 'not-inserted';
}

const insertText = perTable(
  (table) => `insert into ${table.table} (${newRecordColumns},
            state)
     select ${newRecordExpressions},
            ${state.inProgress}
       from ${givenOne(givenRecord(table))}
      where (select 1 from only ${table.table} as held where held.id = given.id) is null
        and ${keyMayBeNew}
         on conflict (id) do nothing
  returning 1`,
);
