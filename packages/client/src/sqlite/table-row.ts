import type { JournalRow } from '@onceward/core/journal';

/** A row as the table has it. Texts are JSON: SQLite has UTF-8, and bindings that end at a null. */
export interface TableRow {
  readonly seq: number | bigint;
  readonly rev: number | bigint;
  readonly scope: string;
  readonly intent: string | null;
  readonly body: unknown;
}

export function toText(value: string): string;
export function toText(value: string | null): string | null;
export function toText(value: string | null): string | null {
  return value === null ? null : JSON.stringify(value);
}

export function fromTable({ seq, rev, scope, intent, body }: TableRow): JournalRow {
  return {
    seq: Number(seq),
    rev: Number(rev),
    scope: fromText(scope),
    intent: intent === null ? null : fromText(intent),
    body: fromText(body),
  };
}

/** What was written, or what is left of it. */
function fromText(kept: unknown): string {
  try {
    const value: unknown = JSON.parse(kept as string);
    if (typeof value === 'string') return value;
  } catch {
    // Not what was written.
  }
  return String(kept);
}
