import type { ReserveRequest } from '@onceward/core/store';
import type { Queryable, Statement } from '../database/database.ts';
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
  const { text, values } = insertReservedStatement(address, request);
  const rows = await database.query(text, values);
  return rows.length === 1 ? 'inserted' : 'not-inserted';
}

/** Answers with a row if it has inserted the record. */
export function insertReservedStatement(
  address: RecordAddress,
  request: ReserveRequest,
): Statement {
  return { text: insertText(address), values: newRecordValues(address, request) };
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
