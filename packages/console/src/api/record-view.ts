import type { RecordSummary } from '@onceward/core/store';
import type { RecordListing } from '@onceward/postgres';

/** A record in a list: enough to know it by, and not its key. */
export interface RecordView {
  /** Absent where the store has no ids. */
  readonly recordId?: string;
  readonly keyHint: string;
  readonly scope: string;
  readonly operation: string;
  readonly state: RecordSummary['state'];
  readonly outcome?: string;
  readonly attempt: number;
  /** `null`: an opaque key has no time. */
  readonly mintedAt: number | null;
  readonly leaseExpiresAt?: number;
  readonly unknownSince?: number;
}

export function viewOf(record: RecordSummary & Partial<RecordListing>): RecordView {
  const { recordId, key, scope, operation, state, outcome, attempt } = record;
  const { leaseExpiresAt, unknownSince } = record;
  return {
    ...(recordId === undefined ? {} : { recordId }),
    ...{ keyHint: keyHint(key), scope, operation, state, attempt },
    mintedAt: record.keyTimestampMs,
    ...(outcome === undefined ? {} : { outcome }),
    ...(leaseExpiresAt === undefined ? {} : { leaseExpiresAt }),
    ...(unknownSince === undefined ? {} : { unknownSince }),
  };
}

/** The beginning and the end of a key: to tell two apart, and not to use one. */
export function keyHint(key: string): string {
  return `${key.slice(0, 8)}…${key.slice(-4)}`;
}
