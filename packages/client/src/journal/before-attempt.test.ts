import type { IdempotencyKey } from '@onceward/core';
import { expect, test } from 'vitest';
import { journalRecord } from '../../test/journal-fixture.ts';
import { beforeAttempt } from './before-attempt.ts';
import type { JournalRecord } from './journal-record.ts';

const now = Date.UTC(2026, 0, 1, 12);
const fresh = { key: 'new' as IdempotencyKey, expiresAt: now + 1_000 };
const waited = { state: 'waiting', reason: 'http', nextAt: now, delayMs: 5, attempts: 3 } as const;

test.each<[name: string, record: Partial<JournalRecord>, expected: Partial<JournalRecord>]>([
  ['is marked as sent', {}, { state: 'sending', attempts: 1, firstSentAt: now }],
  [
    'that waited waits no more, and was first sent when it was',
    { ...waited, firstSentAt: 7 },
    { state: 'sending', attempts: 4, firstSentAt: 7, reason: undefined, nextAt: undefined },
  ],
  ['too old, and never sent, gets a new key', { expiresAt: now }, { ...fresh, state: 'sending' }],
  [
    'too old, and sent, is for the application',
    { expiresAt: now, firstSentAt: 7 },
    { state: 'unresolved', reason: 'expired', settledAt: now, attempts: 0 },
  ],
  ['after a success comes after nothing', { after: ['done'] }, { state: 'sending', after: [] }],
  [
    'after a failure ends',
    { after: ['done', 'fallen'] },
    { state: 'failed', reason: 'dependency', settledAt: now, attempts: 0 },
  ],
  ['after something unheard of ends', { after: ['unknown'] }, { state: 'failed' }],
])('a record %s', (_, record, expected) => {
  expect(before(record)).toMatchObject(expected);
});

test.each(['succeeded', 'failed', 'unresolved', 'cancelled'] as const)(
  'what is %s is not marked',
  (state) => {
    expect(before({ state })).toBeUndefined();
  },
);

function before(members: Partial<JournalRecord>): JournalRecord | undefined {
  return beforeAttempt(journalRecord(members), {
    now,
    serverNow: now,
    freshKey: () => fresh,
    ends: new Map([
      ['done', true],
      ['fallen', false],
    ]),
  });
}
