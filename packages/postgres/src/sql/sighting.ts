import type { Sighting } from '../judge.ts';
import type { TableAddress } from '../record-address.ts';
import { fromHex, hex } from './answer.ts';
import { toMs } from './clock.ts';
import { outcomeCode, type OutcomeCode } from './outcome-code.ts';
import { state, type StateCode } from './state.ts';

/**
 * The one reading of the clock that all of a sighting depends on: were there two, an answer could
 * expire between them. A statement that only looks has not waited since it began.
 */
const seenAt = 'statement_timestamp()';

/**
 * The body comes along only to be replayed, or for the holder: whoever sends another input under
 * the same key must not learn anything, not even by the time it takes.
 */
export const mayHaveBody = `same.fingerprint and not outdated.answer
                 and (held.state = ${state.completed} or held.token = given.token)`;

/** What a request finds: expressions over what is `given`, what is `held`, and {@link comparisons}. */
export const sighting = {
  found: 'held.id is not null',
  key_expired: `(given.key_time + given.key_retention < ${toMs(seenAt)}) is true`,
  same_fingerprint: 'same.fingerprint',
  fingerprint_version: 'held.fingerprint_version',
  state: 'held.state',
  attempt: 'held.attempt',
  token: 'held.token',
  own_token: 'held.token = given.token',
  re_executable: 'held.re_executable',
  lease_remaining_ms: `${toMs('held.lease_expires_at')} - ${toMs(seenAt)}`,
  outcome: `case when outdated.answer then ${outcomeCode.expired} else held.outcome end`,
  answer_expires_at_ms: toMs('held.answer_expires_at'),
  body: `case when ${mayHaveBody}
                then ${hex('held.body')} end`,
} as const satisfies Readonly<Record<string, string>>;

/** The same of a record that is not there, which is what most requests find. */
export const absence = { found: 'false', key_expired: sighting.key_expired };

/** Joins the record of each that is given, if there is one. */
export function heldFor({ table }: TableAddress): string {
  // With a limit, because a plain join could be planned as a scan of the table.
  return `left join lateral (
              select *
                from only ${table} as stored
               where stored.id = given.id
               limit 1) as held on true
      ${comparisons}`;
}

/** What several expressions of {@link sighting} ask of a record. */
export const comparisons = `cross join lateral (
              select held.fingerprint_version = given.fingerprint_version
                 and held.fingerprint = given.fingerprint as fingerprint) as same
      cross join lateral (
              select held.state = ${state.completed}
                 and held.outcome in (${outcomeCode.success}, ${outcomeCode.failure})
                 and held.answer_expires_at < ${seenAt} as answer) as outdated`;

/** A sighting as it travels: numbers may come as texts, and infinity has no other way. */
export type SightedRow = { readonly [Column in keyof typeof sighting]: unknown };

export function sightingFrom(row: SightedRow): Sighting {
  if (!isTrue(row.found)) return { found: false, key_expired: isTrue(row.key_expired) };
  const orNull = (value: unknown) => (value === null ? null : Number(value));
  return {
    found: true,
    same_fingerprint: isTrue(row.same_fingerprint),
    fingerprint_version: Number(row.fingerprint_version),
    state: Number(row.state) as StateCode,
    attempt: Number(row.attempt),
    token: row.token as string,
    own_token: isTrue(row.own_token),
    re_executable: isTrue(row.re_executable),
    lease_remaining_ms: Number(row.lease_remaining_ms),
    outcome: orNull(row.outcome) as OutcomeCode | null,
    answer_expires_at_ms: orNull(row.answer_expires_at_ms),
    body: fromHex(row.body as string | null),
  };
}

/** As JSON has it, or as PostgreSQL writes it. */
function isTrue(value: unknown): boolean {
  return value === true || value === 't';
}
