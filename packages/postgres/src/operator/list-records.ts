import type { RecordState } from '@onceward/core/store';
import type { Queryable } from '../database/database.ts';
import { answer, readAnswers } from '../sql/answer.ts';
import { clockMs, toMs } from '../sql/clock.ts';
import { state, stateCodes } from '../sql/state.ts';
import {
  type RecordListing,
  listingExpressions,
  listingFrom,
  type ListingRow,
} from './record-listing.ts';

/** Which records to list. What is absent does not matter. */
export interface RecordFilter {
  readonly state?: RecordState | undefined;
  readonly scope?: string | undefined;
  readonly operation?: string | undefined;
  /**
   * Only what has been as it is for so long: unknown since then, or in progress with a lease that ran
   * out then. Of the others it is the age of the key, and an opaque key has none.
   */
  readonly olderThanMs?: number | undefined;
}

/** Which page of a list is asked for. */
export interface ListPage {
  /** @defaultValue `50` */
  readonly limit?: number | undefined;
  /** From the last page; absent to start from the oldest key. */
  readonly cursor?: string | undefined;
}

/** A page of records. */
export interface RecordList {
  readonly records: readonly RecordListing[];
  /** Where to go on; absent at the end. */
  readonly cursor?: string | undefined;
}

/**
 * Lists records, oldest keys first, then opaque keys in no order that means anything. No answers.
 *
 * There is no index for this: a filter that matches little reads everything once.
 */
export async function listRecords(
  database: Queryable,
  schema: string,
  { filter, page }: { filter: RecordFilter; page: ListPage },
): Promise<RecordList> {
  const limit = page.limit ?? 50;
  const from = positionOf(page.cursor);
  const records: RecordListing[] = [];
  for (const table of TABLES.slice(TABLES.indexOf(from.table))) {
    const after = table === from.table ? from.after : BEFORE_ALL;
    const rest = limit - records.length;
    const rows = await selectPage(database, schema, { table, filter, after, limit: rest });
    records.push(...rows.map((row) => listingFrom(row, table)));
    const last = rows.at(-1);
    if (last && records.length === limit) return { records, cursor: `${table}:${last.record_id}` };
  }
  return { records };
}

type Table = (typeof TABLES)[number];

const TABLES = ['records', 'opaque_records'] as const;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

function positionOf(cursor: string | undefined): { table: Table; after: string } {
  if (cursor === undefined) return { table: 'records', after: BEFORE_ALL };
  const [, table, after] = /^(records|opaque_records):([0-9a-f-]{36})$/.exec(cursor) ?? [];
  if (table && after) return { table: table as Table, after };
  throw new TypeError('Expected `cursor` to come from the last page');
}

interface SelectedPage {
  readonly table: Table;
  readonly filter: RecordFilter;
  readonly after: string;
  readonly limit: number;
}

async function selectPage(
  database: Queryable,
  schema: string,
  { table, filter, after, limit }: SelectedPage,
): Promise<ListingRow[]> {
  const keyTime = table === 'records' ? `${schema}."key_ms"(id)` : 'null';
  const age = `${clockMs} - case state when ${state.unknown} then ${toMs('unknown_since')}
                                       when ${state.inProgress} then ${toMs('lease_expires_at')}
                                       else ${keyTime} end`;
  const rows = await database.query(
    `select ${answer(listingExpressions)}
       from ${schema}."${table}"
      where id > $1::uuid
        and ($2::int2 is null or state = $2::int2)
        and ($3::text is null or scope = $3::text)
        and ($4::text is null or operation = $4::text)
        and ($5::float8 is null or ${age} >= $5::float8)
      order by id
      limit $6::int4`,
    [
      after,
      filter.state === undefined ? null : stateCodes[filter.state],
      filter.scope ?? null,
      filter.operation ?? null,
      filter.olderThanMs ?? null,
      limit,
    ],
  );
  return readAnswers<ListingRow>(rows);
}
