import { createHash } from 'node:crypto';
import type { RecordName } from '@onceward/core/store';

/**
 * What a record is called in Redis: `onceward:{Jc0bq…22 characters}`.
 *
 * Hashed, because scopes are tenants and users, and names show up in MONITOR, SLOWLOG and dumps.
 * 128 bits are enough that nobody can make two records meet. The braces are a Cluster's hash
 * tag: a companion key of the same record will live in the same slot.
 */
export function recordKey({ scope, key, keyTimestampMs }: RecordName, prefix: string): string {
  // JSON, because joining with a separator lets `a` + `b:c` meet `a:b` + `c`.
  const identity = JSON.stringify([keyTimestampMs === null ? 'opaque' : 'uuid-v7', scope, key]);
  const digest = createHash('sha256').update(identity).digest();
  return `${prefix}{${digest.subarray(0, 16).toString('base64url')}}`;
}
