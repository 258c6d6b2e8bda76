import { describe, expect, test } from 'vitest';
import { journalRecord } from '../../test/journal-record.ts';
import type { JournalRecord } from '../journal/journal-record.ts';
import type { AttemptEnd, LoggedIntent } from './intent-log.ts';
import { type Situation, whyWaiting } from './why-waiting.ts';

const now = 1_000_000;
const calm: Situation = { now, paused: false, online: true, records: [] };

describe('why an intent waits', () => {
  const waiting = { state: 'waiting', nextAt: now + 5_000, reason: 'http' } as const;
  const asked: AttemptEnd = {
    kind: 'failed',
    failure: { kind: 'http', status: 503 },
    retryAfterMs: 5_000,
  };
  const failed: AttemptEnd = { kind: 'failed', failure: { kind: 'http', status: 503 } };

  test.for<[string, LoggedIntent, Partial<Situation>, object | undefined]>([
    ['queued', intent({}), {}, { why: expect.stringContaining('turn has not come') as string }],
    ['paused', intent(waiting), { paused: true }, { why: 'paused in this tab' }],
    ['offline', intent(waiting), { online: false }, { why: 'the browser is offline' }],
    [
      'for a sign-in',
      intent({ state: 'waiting', reason: 'unauthorized' }),
      {},
      { why: 'the user has to sign in' },
    ],
    [
      'because the server asked',
      intent(waiting, asked),
      {},
      {
        why: 'the server or a gateway failed, and the server asked to wait',
        untilAt: now + 5_000,
      },
    ],
    [
      'because it backs off',
      intent(waiting, failed),
      {},
      { why: 'the server or a gateway failed, so it backs off', untilAt: now + 5_000 },
    ],
    [
      'no longer',
      intent({ ...waiting, nextAt: now }, failed),
      {},
      { why: 'the server or a gateway failed, so it backs off: due' },
    ],
    [
      'unresolved',
      intent({ state: 'unresolved' }),
      {},
      { why: expect.stringMatching('settle it') as string },
    ],
    ['being sent', intent({ state: 'sending' }), {}, undefined],
    ['succeeded', intent({ state: 'succeeded' }), {}, undefined],
    ['removed', { ...intent({}), kept: false }, {}, undefined],
  ])('%s', ([, shown, situation, expected]) => {
    expect(whyWaiting(shown, { ...calm, ...situation })).toEqual(expected);
  });

  test('behind the first of its lane that has not settled, and no other', () => {
    const records = [
      journalRecord({ seq: 1, lane: 'a', state: 'succeeded' }),
      journalRecord({ seq: 2, lane: 'b' }),
      journalRecord({ seq: 3, lane: 'a', operation: 'book', state: 'unresolved' }),
      journalRecord({ seq: 4, lane: 'a' }),
      journalRecord({ seq: 5, lane: 'a' }),
    ];
    const shown = { ...intent({}), record: records[3]! };
    expect(whyWaiting(shown, { ...calm, records })?.why).toMatch(
      /^behind book \w{8}…\w{4}, which is unresolved, in lane a$/,
    );
  });

  test('records without a lane are behind nobody', () => {
    const records = [journalRecord({ seq: 1 }), journalRecord({ seq: 2 })];
    const shown = { ...intent({}), record: records[1]! };
    expect(whyWaiting(shown, { ...calm, records })?.why).toContain('turn has not come');
  });

  test('after what it comes after', () => {
    const first = journalRecord({ seq: 1, operation: 'book' });
    const shown = intent({ seq: 2, after: [first.id] });
    const situation = { ...calm, records: [first, shown.record] };
    expect(whyWaiting(shown, situation)?.why).toMatch(/^after book /);
  });
});

function intent(changes: Partial<JournalRecord>, end?: AttemptEnd): LoggedIntent {
  const attempts = end ? [{ number: 1, startedAt: now, endedAt: now, end, here: true }] : [];
  return { record: journalRecord(changes), attempts, kept: true };
}
