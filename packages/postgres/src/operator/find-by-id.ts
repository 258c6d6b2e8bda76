import type { Queryable } from '../database/database.ts';
import { answer, readAnswers } from '../sql/answer.ts';
import {
  type RecordListing,
  listingExpressions,
  listingFrom,
  type ListingRow,
} from './record-listing.ts';

/** Finds a record by its id, for whoever has it from a list or from the audit trail. */
export async function findById(
  database: Queryable,
  schema: string,
  recordId: string,
): Promise<RecordListing | undefined> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(recordId)) {
    throw new TypeError('Expected `recordId` to be the id of a record');
  }
  for (const table of ['records', 'opaque_records'] as const) {
    const rows = await database.query(
      `select ${answer(listingExpressions)}
         from ${schema}."${table}"
        where id = $1::uuid`,
      [recordId],
    );
    const [row] = readAnswers<ListingRow>(rows);
    if (row) return listingFrom(row, table);
  }
  return undefined;
}
