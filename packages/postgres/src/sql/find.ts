import type { RecordName, RecordSummary } from '@onceward/core/store';
import type { Queryable } from '../database/database.ts';
import type { RecordAddress } from '../record-address.ts';
import { toMs } from './clock.ts';
import { state, type StateCode, stateNames } from './state.ts';

/** Reads a record as operators see it. */
export async function find(
  database: Queryable,
  address: RecordAddress,
  { scope, key, keyTimestampMs }: RecordName,
): Promise<RecordSummary | undefined> {
  const [row] = await database.query<FoundRow>(
    `select state::int4,
            operation,
            attempt,
            ${toMs('lease_expires_at')} as lease_expires_at_ms,
            ${toMs('unknown_since')} as unknown_since_ms
       from ${address.family}
      where id = $1::uuid`,
    [address.id],
  );
  if (!row) return undefined;
  const { operation, attempt, lease_expires_at_ms: leaseExpiresAt, unknown_since_ms } = row;
  return {
    ...{ scope, key, keyTimestampMs, operation, attempt, state: stateNames[row.state] },
    ...(row.state === state.inProgress ? { leaseExpiresAt } : {}),
    ...(row.state === state.unknown ? { unknownSince: unknown_since_ms ?? 0 } : {}),
  };
}

interface FoundRow {
  readonly state: StateCode;
  readonly operation: string;
  readonly attempt: number;
  readonly lease_expires_at_ms: number;
  readonly unknown_since_ms: number | null;
}
