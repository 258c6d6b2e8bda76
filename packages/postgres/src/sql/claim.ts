import type { ReserveRequest } from '@onceward/core/store';
import type { Statement } from '../database/database.ts';
import type { RecordAddress, TableAddress } from '../record-address.ts';
import type { Claimed } from '../records.ts';
import { arraysOf, givenMany } from './given.ts';
import {
  givenRecord,
  keyMayBeNew,
  newRecordColumns,
  newRecordExpressions,
  newRecordValues,
} from './new-record.ts';
import { perTable } from './per-table.ts';
import { heldFor, mayHaveBody, type SightedRow, sighting, sightingFrom } from './sighting.ts';
import { state } from './state.ts';
import { whoseLease } from './whose-lease.ts';

export interface Claim {
  readonly address: RecordAddress;
  readonly request: ReserveRequest;
}

/** Looks for records of one table, and inserts those that are not there, in one statement. */
export function claimMany(table: TableAddress, claims: readonly Claim[]): Statement {
  const columns = givenRecord(table);
  const rows = claims.map(({ address, request }) => newRecordValues(address, request));
  return { text: claimManyText(table), values: arraysOf(columns, rows) };
}

/**
 * What became of each claim, from columns that nobody has parsed.
 *
 * `undefined` for one that was not there when the statement began, and was there when it came to
 * insert it: such a statement cannot see whom it lost the race to. `large` for one whose body
 * everybody else in the batch would wait for.
 */
export function readClaims(
  claims: readonly Claim[],
  rows: readonly unknown[],
): readonly (Claimed | 'large' | undefined)[] {
  const granted = new Set<string>();
  const seen = new Map<number, Claimed | 'large'>();
  for (const row of rows as readonly ClaimRow[]) {
    if (row.at === null) granted.add(row.lease);
    else seen.set(Number(row.at) - 1, row.is_large === 't' ? 'large' : sightingFrom(row));
  }
  return claims.map(({ address, request }, at) =>
    granted.has(whoseLease.of(address, request.token)) ? 'inserted' : seen.get(at),
  );
}

const claimManyText = perTable((table) => claimText(table, givenMany(givenRecord(table))));

type ClaimRow =
  | (SightedRow & { readonly at: string; readonly is_large: 't' | 'f' })
  | { readonly at: null; readonly lease: string };

/**
 * `do nothing`, never `do update`: that would lock and rewrite the row on every replay. It waits for
 * whoever is updating the row, but what was seen is not inserted.
 */
function claimText(table: TableAddress, given: string): string {
  const isLarge = `(${mayHaveBody} and octet_length(held.body) > ${LARGE_BYTES}) is true`;
  const body = `case when not ${isLarge} then ${sighting.body} end`;
  const seen = { ...sighting, body, is_large: isLarge };
  const names = Object.keys(seen);
  const columns = Object.entries(seen).map(([name, value]) => `${value} as seen_${name}`);
  return `with seen as materialized (
            select given.*,
                   ${columns.join(',\n                   ')}
              from ${given}
            ${heldFor(table)}
          ), inserted as (
            insert into ${table.table} (${newRecordColumns},
                   state)
            select ${newRecordExpressions},
                   ${state.inProgress}
              from seen as given
             where not given.seen_found
               and ${keyMayBeNew}
                on conflict (id) do nothing
         returning ${whoseLease.selected}
          )
     select at, null as lease, ${names.map((name) => `seen_${name} as ${name}`).join(', ')}
       from seen
      where seen_found or seen_key_expired
      union all
     select null, lease, ${names.map(() => 'null').join(', ')}
       from inserted`;
}

/** Written in hexadecimal, a batch of such bodies is a megabyte. */
const LARGE_BYTES = 8_192;
