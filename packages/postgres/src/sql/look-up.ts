import type { ReserveRequest } from '@onceward/core/store';
import type { Queryable } from '../database/database.ts';
import type { Sighting } from '../judge.ts';
import type { RecordAddress } from '../record-address.ts';
import { clock, duration, toMs } from './clock.ts';
import { outcomeCode } from './outcome-code.ts';
import { state } from './state.ts';

/**
 * Looks a record up, and computes all that depends on the time from one reading of the clock.
 *
 * Always a statement of its own: a statement that waited for a lock, or lost a race to insert,
 * does not see in its own snapshot what it waited for.
 *
 * The body comes along only to be replayed, or for the holder: whoever sends another input under
 * the same key must not learn anything, not even by the time it takes.
 */
export async function lookUp(
  database: Queryable,
  address: RecordAddress,
  request: ReserveRequest,
): Promise<Sighting> {
  const [sighting] = await database.query<Sighting>(
    `select held.id is not null as found,
            ($5::float8 + $6::float8 < ${toMs('clock.now')}) is true as key_expired,
            same.fingerprint as same_fingerprint,
            held.fingerprint_version::int4,
            held.state::int4,
            held.attempt,
            held.token::text,
            held.token = $2::uuid as own_token,
            held.re_executable,
            ${toMs('held.lease_expires_at')} - ${toMs('clock.now')} as lease_remaining_ms,
            case when answer.expired then ${outcomeCode.expired} else held.outcome::int4 end
              as outcome,
            ${toMs('held.answer_expires_at')} as answer_expires_at_ms,
            case when same.fingerprint and not answer.expired
                  and (held.state = ${state.completed} or held.token = $2::uuid)
                 then held.body end as body
       from (select ${clock} as now) as clock
       left join only ${address.table} as held on held.id = $1::uuid
      cross join lateral (
              select held.fingerprint_version = $3::int2
                 and held.fingerprint = $4::bytea as fingerprint) as same
      cross join lateral (
              select held.state = ${state.completed}
                 and held.outcome in (${outcomeCode.success}, ${outcomeCode.failure})
                 and held.answer_expires_at < clock.now as expired) as answer`,
    [
      address.id,
      request.token,
      request.fingerprint.version,
      request.fingerprint.digest,
      address.keyTimestampMs,
      duration(request.keyRetentionMs),
    ],
  );
  if (!sighting) throw new Error('PostgreSQL answered a look-up with no row at all');
  return sighting;
}
