import type { ReserveRequest } from '@onceward/core/store';
import type { RecordAddress } from '../record-address.ts';
import { clockMs, duration, inMs, instant } from './clock.ts';
import type { GivenColumns } from './given.ts';

/** What every new record is made of, however it starts: `$1` to `$12` of {@link newRecordValues}. */
export function givenRecord({ keyType }: Pick<RecordAddress, 'keyType'>): GivenColumns {
  return [
    ['id', 'uuid'],
    ['key', keyType],
    ['token', 'uuid'],
    ['key_time', 'float8'],
    ['key_retention', 'float8'],
    ['max_skew', 'float8'],
    ['lease', 'float8'],
    ['fingerprint_version', 'int2'],
    ['re_executable', 'bool'],
    ['fingerprint', 'bytea'],
    ['scope', 'text'],
    ['operation', 'text'],
  ];
}

export const newRecordColumns = `
            id, key, token, key_expires_at,
            lease_expires_at, attempt, fingerprint_version, re_executable, fingerprint,
            scope, operation`;

/** Until when a key is remembered, from its time, its retention and the skew. */
export function keyExpiry([time, retention, skew]: readonly [string, string, string]): string {
  // A key from a clock that runs ahead is remembered for longer than its row is old.
  const born = `greatest(${time}::float8, ${clockMs})`;
  return instant(`${born} + ${retention}::float8 + ${skew}::float8`);
}

export const newRecordExpressions = `
            given.id, given.key, given.token,
            ${keyExpiry(['given.key_time', 'given.key_retention', 'given.max_skew'])},
            ${inMs('given.lease')}, 1, given.fingerprint_version, given.re_executable,
            given.fingerprint, given.scope, given.operation`;

/** True unless the record of so old a key may have been pruned. Opaque keys have no age. */
export const keyMayBeNew = `(given.key_time + given.key_retention < ${clockMs}) is not true`;

export function newRecordValues(address: RecordAddress, request: ReserveRequest): unknown[] {
  return [
    address.id,
    request.key,
    request.token,
    address.keyTimestampMs,
    duration(request.keyRetentionMs),
    duration(request.maxClockSkewMs),
    duration(request.leaseMs),
    request.fingerprint.version,
    request.onStaleLease === 're-execute',
    request.fingerprint.digest,
    request.scope,
    request.operation,
  ];
}
