import type { ReserveRequest } from '@onceward/core/store';
import type { Queryable, Statement } from '../database/database.ts';
import type { Sighting } from '../judge.ts';
import type { RecordAddress } from '../record-address.ts';
import { answer, fromHex, hex, type JsonNumber, readAnswers } from './answer.ts';
import { clock, duration, toMs } from './clock.ts';
import { outcomeCode } from './outcome-code.ts';
import { state } from './state.ts';

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
 * Looks a record up, and computes all that depends on the time from one reading of the clock.
 *
 * Always a statement of its own: a statement that waited for a lock, or lost a race to insert,
 * does not see in its own snapshot what it waited for.
 *
 * The body comes along only to be replayed, or for the holder: whoever sends another input under
 * the same key must not learn anything, not even by the time it takes.
 */
export function lookUpStatement(address: RecordAddress, request: ReserveRequest): Statement {
  const sighting = answer({
    found: 'held.id is not null',
    key_expired: `($5::float8 + $6::float8 < ${toMs('clock.now')}) is true`,
    same_fingerprint: 'same.fingerprint',
    fingerprint_version: 'held.fingerprint_version',
    state: 'held.state',
    attempt: 'held.attempt',
    token: 'held.token',
    own_token: 'held.token = $2::uuid',
    re_executable: 'held.re_executable',
    lease_remaining_ms: `${toMs('held.lease_expires_at')} - ${toMs('clock.now')}`,
    outcome: `case when outdated.answer then ${outcomeCode.expired} else held.outcome end`,
    answer_expires_at_ms: toMs('held.answer_expires_at'),
    body: `case when same.fingerprint and not outdated.answer
                 and (held.state = ${state.completed} or held.token = $2::uuid)
                then ${hex('held.body')} end`,
  });
  const text = `select ${sighting}
       from (select ${clock} as now) as clock
       left join only ${address.table} as held on held.id = $1::uuid
      cross join lateral (
              select held.fingerprint_version = $3::int2
                 and held.fingerprint = $4::bytea as fingerprint) as same
      cross join lateral (
              select held.state = ${state.completed}
                 and held.outcome in (${outcomeCode.success}, ${outcomeCode.failure})
                 and held.answer_expires_at < clock.now as answer) as outdated`;
  const values = [
    address.id,
    request.token,
    request.fingerprint.version,
    request.fingerprint.digest,
    address.keyTimestampMs,
    duration(request.keyRetentionMs),
  ];
  return { text, values };
}

export function readSighting(rows: readonly unknown[] | undefined): Sighting {
  const [row] = readAnswers<SightedRow>(rows ?? []);
  if (!row) throw new Error('PostgreSQL answered a look-up with no row at all');
  if (!row.found) return row;
  const { lease_remaining_ms, answer_expires_at_ms } = row;
  return {
    ...row,
    lease_remaining_ms: Number(lease_remaining_ms),
    answer_expires_at_ms: answer_expires_at_ms === null ? null : Number(answer_expires_at_ms),
    body: fromHex(row.body),
  };
}

/** As it travels. */
type SightedRow =
  | Extract<Sighting, { found: false }>
  | (Omit<
      Extract<Sighting, { found: true }>,
      'lease_remaining_ms' | 'answer_expires_at_ms' | 'body'
    > & {
      readonly lease_remaining_ms: JsonNumber;
      readonly answer_expires_at_ms: JsonNumber | null;
      readonly body: string | null;
    });
