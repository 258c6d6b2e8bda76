import type { RecordName, RecordSummary } from '@onceward/core/store';
import type { Queryable } from '../database/database.ts';
import type { RecordAddress } from '../record-address.ts';
import { answer, type JsonNumber, readAnswers } from './answer.ts';
import { toMs } from './clock.ts';
import { state, type StateCode, stateNames } from './state.ts';

/** Reads a record as operators see it. */
export async function find(
  database: Queryable,
  address: RecordAddress,
  { scope, key, keyTimestampMs }: RecordName,
): Promise<RecordSummary | undefined> {
  const found = answer({
    state: 'state',
    operation: 'operation',
    attempt: 'attempt',
    lease_expires_at_ms: toMs('lease_expires_at'),
    unknown_since_ms: toMs('unknown_since'),
  });
  const rows = await database.query(
    `select ${found}
       from ${address.family}
      where id = $1::uuid`,
    [address.id],
  );
  const [row] = readAnswers<FoundRow>(rows);
  if (!row) return undefined;
  const { operation, attempt, unknown_since_ms } = row;
  const leaseExpiresAt = Number(row.lease_expires_at_ms);
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
  readonly lease_expires_at_ms: JsonNumber;
  readonly unknown_since_ms: number | null;
}
