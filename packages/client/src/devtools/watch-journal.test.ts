import { IdempotencyError } from '@onceward/core';
import { expect, test } from 'vitest';
import { createVirtualClock } from '../../../../test/support/virtual-clock.ts';
import { describeFailure } from '../failure.ts';
import { HttpStatusError } from '../http-status-error.ts';
import type { Channel } from '../journal/channel.ts';
import { createJournal } from '../journal/journal.ts';
import { memoryJournal } from '../journal/memory-journal.ts';
import type { Submission } from '../journal/submission.ts';
import { retryNow } from './retry-now.ts';
import { watchJournal } from './watch-journal.ts';

const payment: Submission = { channel: 'bank', operation: 'pay', input: { cents: 1200 } };
const busy = () => new IdempotencyError('IDEMPOTENCY_IN_PROGRESS', { retryAfterMs: 60_000 });

test('an attempt is logged with its status, its times and what the server asked for', async () => {
  const page = openPage();
  page.answers.push(busy());
  await page.journal.submit(payment);
  await page.clock.advance(90_000);
  expect(page.log.intents()).toMatchObject([
    {
      record: { operation: 'pay', state: 'succeeded' },
      attempts: [
        {
          number: 1,
          here: true,
          startedAt: start,
          end: {
            kind: 'failed',
            failure: { error: { code: 'IDEMPOTENCY_IN_PROGRESS' } },
            retryAfterMs: 60_000,
          },
        },
        { number: 2, here: true, end: { kind: 'succeeded' } },
      ],
    },
  ]);
});

test('what a caller sends itself, as a link does, is logged in the same way', async () => {
  const page = openPage();
  const failures = [new HttpStatusError(new Response('', { status: 503 }))];
  const delivered = page.journal.deliver(
    payment,
    async (attempt) => {
      attempt.takeKey();
      const failure = failures.pop();
      if (failure) throw failure;
      return 'paid';
    },
    undefined,
  );
  await page.clock.advance(1_000);
  expect(await delivered).toBe('paid');
  const [intent] = page.log.intents();
  expect(intent).toMatchObject({ kept: false, attempts: [{ here: true }, { here: true }] });
  expect(intent?.attempts[0]?.end).toMatchObject({ failure: { kind: 'http', status: 503 } });
});

test('while the network is dropped nothing is sent, and attempts fail as they do offline', async () => {
  const page = openPage();
  page.network.drop();
  await page.journal.submit(payment);
  await page.clock.advance(0);
  expect(page.sent).toEqual([]);
  expect(page.journal.records()).toMatchObject([{ state: 'waiting', reason: 'network' }]);
  expect(page.log.intents()).toMatchObject([{ attempts: [{ end: { kind: 'dropped' } }] }]);

  page.network.mend();
  page.journal.resume();
  await page.clock.advance(0);
  expect(page.sent).toEqual([{ cents: 1200 }]);
});

test('an answer that is on its way when the network is dropped does not arrive', async () => {
  const page = openPage();
  page.answers.push('never');
  await page.journal.submit(payment);
  await page.clock.advance(0);
  page.network.drop();
  await page.clock.advance(0);
  expect(page.sent).toHaveLength(1);
  expect(page.journal.records()).toMatchObject([{ state: 'waiting', reason: 'network' }]);
});

test('a caller that has not taken the key yet is not blamed for a dropped network', async () => {
  const page = openPage();
  page.network.drop();
  await page.journal.submit(payment, async () => 'paid');
  await page.clock.advance(0);
  expect(page.journal.records()).toMatchObject([{ state: 'waiting', reason: 'network' }]);
});

test('retrying now does not wait for what the server asked for, and leaves the reason', async () => {
  const page = openPage();
  page.answers.push(busy(), busy());
  await page.journal.submit(payment);
  await page.clock.advance(0);
  retryNow(page.journal, page.journal.records());
  expect(page.journal.records()).toMatchObject([{ state: 'waiting', reason: 'in-progress' }]);
  await page.clock.advance(0);
  expect(page.sent).toHaveLength(2);
  await page.clock.advance(59_000);
  expect(page.sent).toHaveLength(2);
});

test('retrying one now leaves the others waiting', async () => {
  const page = openPage();
  page.answers.push(busy(), busy());
  await page.journal.submit(payment);
  await page.journal.submit({ ...payment, input: { cents: 1300 } });
  await page.clock.advance(0);
  retryNow(page.journal, page.journal.records().slice(1));
  await page.clock.advance(0);
  expect(page.sent).toEqual([{ cents: 1200 }, { cents: 1300 }, { cents: 1300 }]);
});

test('whoever pauses and resumes, it is known', () => {
  const page = openPage();
  expect(page.paused()).toBe(false);
  page.journal.pause();
  expect(page.paused()).toBe(true);
  page.journal.resume();
  expect(page.paused()).toBe(false);
});

test('an attempt that times out is logged by what the record says', async () => {
  const page = openPage();
  page.answers.push('never');
  await page.journal.submit(payment);
  await page.clock.advance(15_000);
  expect(page.log.intents()).toMatchObject([
    { attempts: [{ here: true, end: { kind: 'recorded', reason: 'timeout' } }] },
  ]);
});

test('when it stops, the journal is as it was, and a dropped network is mended', async () => {
  const page = openPage();
  page.network.drop();
  page.stop();
  for (const name of ['submit', 'connect', 'pause', 'resume']) {
    expect(Object.hasOwn(page.journal, name), name).toBe(false);
  }
  await page.journal.submit(payment);
  await page.clock.advance(0);
  expect(page.sent).toHaveLength(1);
});

test('when it stops, what it has paused goes on, and what others have paused does not', async () => {
  const page = openPage();
  page.pause();
  page.stop();
  await page.journal.submit(payment);
  await page.clock.advance(0);
  expect(page.sent).toHaveLength(1);

  const other = openPage();
  other.pause();
  other.journal.resume();
  other.journal.pause();
  other.stop();
  await other.journal.submit(payment);
  await other.clock.advance(0);
  expect(other.sent).toEqual([]);
});

const start = Date.UTC(2026, 0, 1);

/** A page that is watched, and a bank that answers as it is told; after that all is well. */
function openPage() {
  const clock = createVirtualClock(start);
  const journal = createJournal({
    store: memoryJournal(),
    scope: 'ada',
    clock: { now: () => clock.now(), setTimer: (...timer) => clock.setTimer(...timer) },
    random: () => 0.5,
  });
  const sent: unknown[] = [];
  const answers: (Error | 'never')[] = [];
  const channel: Channel = {
    async send(input, attempt) {
      attempt.takeKey();
      sent.push(input);
      const answer = answers.shift();
      if (answer === 'never') return new Promise(() => {});
      if (answer) throw answer;
      return 'paid';
    },
    describeFailure,
    preserve: (error: Error) => error.message,
    revive: (message: string) => new Error(message),
  };
  const watched = watchJournal(
    journal,
    () => {},
    () => clock.now(),
  );
  journal.connect('bank', channel);
  const { log, network } = watched;
  const { stop } = watched;
  return {
    clock,
    journal,
    sent,
    answers,
    log,
    network,
    stop,
    pause: () => watched.pause(),
    paused: () => watched.paused,
  };
}
