import type { ReserveRequest } from '@onceward/core/store';
import type { Queryable, Statement } from '../database/database.ts';
import type { Sighting } from '../judge.ts';
import type { RecordAddress } from '../record-address.ts';
import { jsonText, readAnswers } from './answer.ts';
import { duration } from './clock.ts';
import { type GivenColumns, givenOne } from './given.ts';
import { perTable } from './per-table.ts';
import { absence, heldFor, type SightedRow, sighting, sightingFrom } from './sighting.ts';

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
  const values = [
    address.id,
    request.token,
    request.fingerprint.version,
    request.fingerprint.digest,
    address.keyTimestampMs,
    duration(request.keyRetentionMs),
  ];
  return { text: lookUpText(address), values };
}

export function readSighting(rows: readonly unknown[] | undefined): Sighting {
  const [row] = readAnswers<SightedRow>(rows ?? []);
  if (!row) throw new Error('PostgreSQL answered a look-up with no row at all');
  return sightingFrom(row);
}

const lookUpText = perTable(
  (table) => `select case when held.id is null
                 then ${jsonText(absence)}
                 else ${jsonText(sighting)}
             end as answer
       from ${givenOne(givenLook)}
      ${heldFor(table)}`,
);

const givenLook: GivenColumns = [
  ['id', 'uuid'],
  ['token', 'uuid'],
  ['fingerprint_version', 'int2'],
  ['fingerprint', 'bytea'],
  ['key_time', 'float8'],
  ['key_retention', 'float8'],
];
