import type { ReserveRequest } from '@onceward/core/store';
import type { RecordAddress } from '../record-address.ts';
import { clockMs, duration, inMs, instant } from './clock.ts';

/** What every new record holds, however it starts: `$1` to `$12` of {@link newRecordValues}. */
export const newRecordColumns = `
            id, key, token, key_expires_at,
            lease_expires_at, attempt, fingerprint_version, re_executable, fingerprint,
            scope, operation`;

export function newRecordExpressions({ keyType }: RecordAddress): string {
  return `
            $1::uuid, $2::${keyType}, $3::uuid, ${keyExpiry(['$4', '$5', '$6'])},
            ${inMs('$7')}, 1, $8::int2, $9::bool, $10::bytea,
            $11::text, $12::text`;
}

/** Until when a key is remembered, from parameters for its time, its retention and the skew. */
export function keyExpiry([time, retention, skew]: readonly [string, string, string]): string {
  // A key from a clock that runs ahead is remembered for longer than its row is old.
  const born = `greatest(${time}::float8, ${clockMs})`;
  return instant(`${born} + ${retention}::float8 + ${skew}::float8`);
}

/** True unless the record of so old a key may have been pruned. Opaque keys have no age. */
export const keyMayBeNew = `($4::float8 + $5::float8 < ${clockMs}) is not true`;

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
