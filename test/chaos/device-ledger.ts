import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IdempotencyKey } from '@onceward/core';
import type { DevicePoint } from './device-points.ts';
import type { Form } from './forms.ts';

/** What a device notes for the books, and could not know after its death. */
export type LedgerLine =
  /** Somebody wants this. */
  | { readonly kind: 'submitting'; readonly id: string; readonly form: Form }
  /** The journal says that it is durable. */
  | { readonly kind: 'persisted'; readonly id: string }
  | { readonly kind: 'sent'; readonly id: string; readonly key: IdempotencyKey }
  /** Whoever wanted it knows the answer, or that it was refused. */
  | { readonly kind: 'told'; readonly id: string; readonly answer: string | null }
  | { readonly kind: 'came'; readonly point: DevicePoint }
  /** Chaos is over: from here on all is well. */
  | { readonly kind: 'healed' };

/** Notes a line that outlives the process, however soon it dies. */
export function noteIn(folder: string): (line: LedgerLine) => void {
  return (line) => appendFileSync(pathIn(folder), `${JSON.stringify(line)}\n`);
}

export function readLedger(folder: string): LedgerLine[] {
  const lines = readFileSync(pathIn(folder), 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as LedgerLine);
}

function pathIn(folder: string): string {
  return join(folder, 'ledger');
}
