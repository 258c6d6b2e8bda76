import { hash } from 'node:crypto';
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
  // In one call, by way of hexadecimal digits: that takes half as long as any other.
  const digest = Buffer.from(hash('sha256', identity), 'hex');
  return `${prefix}{${digest.toString('base64url', 0, 16)}}`;
}
