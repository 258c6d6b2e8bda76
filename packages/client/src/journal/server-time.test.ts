import { expect, test } from 'vitest';
import { refusal } from '../../test/delivery-fixture.ts';
import type { Failure } from '../failure.ts';
import { resolveJournalOptions } from './journal-options.ts';
import { memoryJournal } from './memory-journal.ts';
import { ServerTime } from './server-time.ts';

const now = Date.UTC(2026, 0, 1, 12);
const hour = 3_600_000;
const http = (date: string | null): Failure => ({ kind: 'http', status: 503, headers: { date } });
const future = (serverTimeMs: number): Failure => ({
  kind: 'idempotency',
  error: refusal('IDEMPOTENCY_KEY_FUTURE', { serverTimeMs, retryAfterMs: 0 }),
});

test.each<[name: string, failure: Failure, offsetMs: number]>([
  ['no answer', { kind: 'network' }, 0],
  ['an answer without a date', http(null), 0],
  ['a date that is none', http('soon'), 0],
  ['a date an hour ahead', http(new Date(now + hour).toUTCString()), hour],
  ['a date an hour behind', http(new Date(now - hour).toUTCString()), -hour],
  ['a date half a minute ahead', http(new Date(now + 30_000).toUTCString()), 60_000],
  ['a date that an answer may take', http(new Date(now + 29_000).toUTCString()), 0],
  ['the time in a refusal', future(now - hour), -hour],
  ['a time in a refusal that is none', future(0), 0],
])('%s corrects the clock by what it says', (_, failure, offsetMs) => {
  const time = timeAtNoon();
  time.learn(failure);
  expect(time.now() - now).toBe(offsetMs);
});

test('the last answer that has a time counts', () => {
  const time = timeAtNoon();
  time.learn(future(now + hour));
  time.learn({ kind: 'timeout' });
  expect(time.now()).toBe(now + hour);
  time.learn(http(new Date(now).toUTCString()));
  expect(time.now()).toBe(now);
});

function timeAtNoon(store = memoryJournal()): ServerTime {
  const clock = { now: () => now, setTimer: () => () => {} };
  return new ServerTime(resolveJournalOptions({ store, scope: 'alice', clock }));
}
