import type { ReserveRequest } from '@onceward/core/store';
import type { Queryable, Statement } from '../database/database.ts';
import type { Sighting } from '../judge.ts';
import type { RecordAddress } from '../record-address.ts';
import { jsonText, readAnswers } from './answer.ts';
import { duration } from './clock.ts';
import { type GivenColumns, givenOne } from './given.ts';
import { perTable } from './per-table.ts';
import { absence, comparisons, type SightedRow, sighting, sightingFrom } from './sighting.ts';

/** Asks the database what a request finds. */
export async function lookUp(
  database: Queryable,
  address: RecordAddress,
  request: ReserveRequest,
): Promise<Sighting> {
  const { text, values } = lookUpStatement(address, request);
  return readSighting(await database.query(text, values));
}

/**
 * Looks a record up.
 *
 * Always a statement of its own: a statement that waited for a lock, or lost a race to insert,
 * does not see in its own snapshot what it waited for.
 */
export function lookUpStatement(address: RecordAddress, request: ReserveRequest): Statement {
  return { text: lookUpText(address), values: lookValues(address, request) };
}

/** The same of a record that another attempt has: no row when there is none, or it is the caller's. */
export function seeOther(address: RecordAddress, request: ReserveRequest): Statement {
  return { text: seeOtherText(address), values: lookValues(address, request) };
}

export function readSighting(rows: readonly unknown[] | undefined): Sighting {
  const [row] = readAnswers<SightedRow>(rows ?? []);
  if (!row) throw new Error('PostgreSQL answered a look-up with no row at all');
  return sightingFrom(row);
}

/** A sub-select, which is cheaper to start than a join: most look-ups find nothing. */
const lookUpText = perTable(
  ({ table }) => `select coalesce(
              (select ${jsonText(sighting)}
                 from only ${table} as held
           ${comparisons}
                where held.id = given.id),
              ${jsonText(absence)}) as answer
       from ${givenOne(givenLook)}`,
);

const seeOtherText = perTable(
  ({ table }) => `select ${jsonText(sighting)} as answer
       from ${givenOne(givenLook)}
      cross join only ${table} as held
      ${comparisons}
      where held.id = given.id
        and held.token <> given.token`,
);

function lookValues(address: RecordAddress, request: ReserveRequest): unknown[] {
  return [
    address.id,
    request.token,
    request.fingerprint.version,
    request.fingerprint.digest,
    address.keyTimestampMs,
    duration(request.keyRetentionMs),
  ];
}

const givenLook: GivenColumns = [
  ['id', 'uuid'],
  ['token', 'uuid'],
  ['fingerprint_version', 'int2'],
  ['fingerprint', 'bytea'],
  ['key_time', 'float8'],
  ['key_retention', 'float8'],
];
