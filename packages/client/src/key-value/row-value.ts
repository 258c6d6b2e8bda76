import type { JournalRow } from '@onceward/core/journal';

/** What a value says about a row; its number and its scope are in its key. */
export type RowContent = Pick<JournalRow, 'intent' | 'body' | 'rev'>;

export function formatRow({ rev, intent, body }: RowContent): string {
  return JSON.stringify([rev, intent, body]);
}

/** What a value holds. When it is not what was written, all of it is the body. */
export function parseRow(value: string): RowContent {
  try {
    const [rev, intent, body, ...rest] = JSON.parse(value) as [number, string | null, string];
    if (typeof rev === 'number' && typeof body === 'string' && rest.length === 0) {
      return { rev, intent, body };
    }
  } catch {
    // Half a value is no JSON.
  }
  return { rev: 0, intent: null, body: value };
}
