import { expect, test } from 'vitest';
import { journalRecord } from '../../test/journal-record.ts';
import type { JournalRecord } from '../journal/journal-record.ts';
import { IntentLog } from './intent-log.ts';

const queued = journalRecord();
const { key } = queued;
const sending: JournalRecord = { ...queued, state: 'sending', rev: 2, attempts: 1 };
const succeeded: JournalRecord = { ...queued, state: 'succeeded', rev: 3, attempts: 1 };

test('an attempt that this page has not begun was made elsewhere', () => {
  const log = openLog();
  log.see([sending]);
  log.see([succeeded]);
  expect(log.intents()[0]?.attempts).toMatchObject([{ here: false, end: { kind: 'recorded' } }]);
});

test('an attempt that this page begins is its own', () => {
  const log = openLog();
  log.see([sending]);
  log.began(key);
  log.ended(key, { kind: 'succeeded' });
  log.see([succeeded]);
  const attempts = [
    { number: 1, here: true, startedAt: 1, endedAt: 2, end: { kind: 'succeeded' } },
  ];
  expect(log.intents()).toEqual([{ record: succeeded, kept: true, attempts }]);
});

test('a record that is only seen again has not been sent again', () => {
  const log = openLog();
  log.see([sending]);
  log.see([sending]);
  expect(log.intents()[0]?.attempts).toHaveLength(1);
});

test('one that is marked as sent once more has been, and the attempt before is over', () => {
  const log = openLog();
  log.see([sending]);
  log.see([{ ...sending, rev: 3, attempts: 2 }]);
  expect(log.intents()[0]?.attempts).toMatchObject([
    { number: 1, end: { reason: 'no-answer' } },
    { number: 2 },
  ]);
});

test('an answer that comes when its attempt is over changes nothing', () => {
  const log = openLog();
  log.see([sending]);
  log.see([{ ...sending, rev: 3, state: 'waiting', reason: 'timeout' }]);
  log.ended(key, { kind: 'succeeded' });
  expect(log.intents()[0]?.attempts).toMatchObject([{ end: { reason: 'timeout' } }]);
});

test('what the journal has removed stays, until it is to be forgotten', () => {
  const log = openLog();
  const other = { ...queued, id: 'other', seq: 2 };
  log.see([succeeded, other]);
  log.see([other]);
  expect(log.intents()).toMatchObject([
    { record: { id: 'other' }, kept: true },
    { record: { state: 'succeeded' }, kept: false },
  ]);
  log.forgetEnded();
  expect(log.intents()).toMatchObject([{ record: { id: 'other' } }]);
});

test('of what was removed the last hundred stay, of attempts the last fifty', () => {
  const log = openLog();
  const many = Array.from({ length: 130 }, (_, at) => ({ ...succeeded, id: `r${at}`, seq: at }));
  log.see(many);
  expect(log.intents()).toHaveLength(130);
  log.see([]);
  expect(log.intents()).toHaveLength(100);
  expect(log.intents()[0]?.record.id).toBe('r129');
  for (let rev = 1; rev <= 80; rev++) log.see([{ ...sending, rev, attempts: rev }]);
  const attempts = log.intents().find(({ record }) => record.id === key)?.attempts;
  expect(attempts).toHaveLength(50);
  expect(attempts?.at(-1)?.number).toBe(80);
});

/** One whose clock counts how often it is looked at. */
function openLog(): IntentLog {
  let now = 0;
  return new IntentLog(() => ++now);
}
