import type { AuditEntry } from '@onceward/postgres';
import { keyHint } from './record-view.ts';

/** What somebody did, as the page shows it. */
export interface TrailView {
  readonly at: number;
  readonly actor: string;
  readonly action: string;
  readonly recordId: string | null;
  readonly jobId: string | null;
  readonly scope: string | null;
  readonly keyHint: string;
  readonly operation: string;
  /** As it was written down; JSON as text. */
  readonly evidence: string | null;
}

export function trailViewOf({ key, evidence, ...entry }: AuditEntry): TrailView {
  const text = typeof evidence === 'string' ? evidence : JSON.stringify(evidence);
  return { ...entry, keyHint: keyHint(key), evidence: evidence === null ? null : text };
}
