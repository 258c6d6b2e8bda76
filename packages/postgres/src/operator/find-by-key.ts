import { type IdempotencyKey, keyTimestamp, parseKey } from '@onceward/core';
import type { Queryable } from '../database/database.ts';
import { answer, readAnswers } from '../sql/answer.ts';
import {
  type RecordListing,
  listingExpressions,
  listingFrom,
  type ListingRow,
} from './record-listing.ts';

/**
 * Finds the records of a key in every scope, for whoever was told a key and not whose it is.
 *
 * Ids begin with the time of their key, so those of one millisecond lie together. An opaque key has
 * no time: all of them are read. Where opaque keys are accepted, one may look like a UUID v7.
 */
export async function findByKey(
  database: Queryable,
  schema: string,
  key: IdempotencyKey,
): Promise<RecordListing[]> {
  const timed = parseKey(key).kind === 'key' ? await findTimed(database, schema, key) : [];
  return timed.length > 0 ? timed : findOpaque(database, schema, key);
}

async function findTimed(
  database: Queryable,
  schema: string,
  key: IdempotencyKey,
): Promise<RecordListing[]> {
  const rows = await database.query(
    `select ${answer(listingExpressions)}
       from ${schema}."records"
      where id >= ${schema}."first_id"($2::int8)
        and id <  ${schema}."first_id"($2::int8 + 1)
        and key = $1::uuid
      order by scope
      limit 100`,
    [key, keyTimestamp(key)],
  );
  return readAnswers<ListingRow>(rows).map((row) => listingFrom(row, 'records'));
}

async function findOpaque(
  database: Queryable,
  schema: string,
  key: IdempotencyKey,
): Promise<RecordListing[]> {
  const rows = await database.query(
    `select ${answer(listingExpressions)}
       from ${schema}."opaque_records"
      where key = $1::text
      order by scope
      limit 100`,
    [key],
  );
  return readAnswers<ListingRow>(rows).map((row) => listingFrom(row, 'opaque_records'));
}
