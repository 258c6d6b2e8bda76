import { mintKey } from '@onceward/core';
import type { JournalRecord } from '../src/journal/journal-record.ts';

/** A payment that waits for its turn, but for what is said about it. */
export function journalRecord(changes: Partial<JournalRecord> = {}): JournalRecord {
  const key = mintKey();
  return {
    id: key,
    key,
    seq: 1,
    rev: 1,
    scope: 'ada',
    channel: 'bank',
    operation: 'pay',
    input: '{}',
    lane: null,
    after: [],
    intent: key,
    state: 'queued',
    attempts: 0,
    createdAt: 0,
    expiresAt: 1,
    ...changes,
  };
}
