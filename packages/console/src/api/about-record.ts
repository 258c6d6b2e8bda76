import type { AuditedAction } from '../audited.ts';
import type { FoundRecord } from './find-record.ts';
import { keyHint } from './record-view.ts';

/** What the audit hears of a record: enough to find it, and not its key. */
export function aboutRecord(
  { recordId, scope, key, operation }: FoundRecord,
  action: AuditedAction['action'],
  evidence: string | null,
) {
  const id = recordId === undefined ? {} : { recordId };
  return { action, ...id, scope, keyHint: keyHint(key), operation, evidence };
}
