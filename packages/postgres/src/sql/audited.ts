import type { Audit } from '@onceward/core/store';
import type { RecordAddress } from '../record-address.ts';

/**
 * One statement that changes a record and writes down who did: both happen, or neither.
 *
 * `$1` to `$4` are {@link auditValues}; `$1` is the record's id. A row comes back if it was changed.
 */
export function audited({ schema }: RecordAddress, change: string): string {
  return `with changed as (
      ${change}
     returning id, scope, key::text, operation
     )
     insert into ${schema}."audit" (record_id, scope, key, operation, actor, action, evidence)
     select id, scope, key, operation, $2::text, $3::text, $4::jsonb
       from changed
  returning 1`;
}

export function auditValues(
  { id }: RecordAddress,
  action: string,
  { actor = 'application', evidence }: Audit = {},
): unknown[] {
  return [id, actor, action, evidence === undefined ? null : JSON.stringify(evidence)];
}
