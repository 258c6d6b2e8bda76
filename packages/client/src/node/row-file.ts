import { createHash } from 'node:crypto';
import type { JournalRow } from '@onceward/core/journal';

/** What a file says about a row; its number and its scope are in its path. */
export type RowContent = Pick<JournalRow, 'intent' | 'body' | 'rev'>;

/** A row as text: its digest, and itself. JSON keeps what UTF-8 cannot, such as half a character. */
export function formatRow({ intent, body, rev }: RowContent): string {
  const text = JSON.stringify({ rev, intent, body });
  return `${digest(text)}\n${text}`;
}

/** What a file holds. When it is not what was written, all of it is the body. */
export function parseRow(content: string): RowContent {
  const end = content.indexOf('\n');
  const text = content.slice(end + 1);
  return digest(text) === content.slice(0, end)
    ? (JSON.parse(text) as RowContent)
    : { intent: null, body: content, rev: 0 };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
