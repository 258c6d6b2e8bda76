import superjson from 'superjson';
import { expect, test } from 'vitest';
import { createVirtualClock } from '../../../../test/support/virtual-clock.ts';
import { readJournalRows } from '../../test/journal-rows/read-journal-rows.ts';
import { describeFailure } from '../failure.ts';
import type { Channel } from './channel.ts';
import { createJournal } from './journal.ts';
import { memoryJournal } from './memory-journal.ts';

test('rows of version 1 are what they were: sent under their keys, or handed over', async () => {
  const store = memoryJournal();
  for (const row of readJournalRows(1)) await store.insert(row);
  const clock = createVirtualClock(Date.UTC(2026, 10, 1, 12, 0, 1));
  const sent: unknown[] = [];
  const channel: Channel = {
    async send(input, attempt) {
      sent.push([attempt.takeKey(), input]);
      return 'paid';
    },
    describeFailure,
    preserve: (error) => error,
    revive: ({ message }: { message: string }) => message,
  };
  const journal = createJournal({ store, scope: 'alice', transformer: superjson, clock });
  const ended: unknown[] = [];
  journal.onSettled('pay', (settled) => {
    const { seq } = settled.record;
    ended.push([seq, settled.kind === 'succeeded' ? settled.result : settled.error]);
  });
  journal.connect('trpc', channel);
  await clock.advance(2 * 60_000);
  await journal.drain();

  expect(sent).toEqual([
    ['01a196fb-1600-7d5d-9e46-59764b689fad', { to: 'bob', amountCents: 100 }],
    ['01a196fb-1632-7f3b-85db-55e61ae3faea', { to: 'bob', amountCents: 105 }],
    ['01a196fb-1632-7f3c-b61a-7cc2ed704f3f', { to: 'bob', amountCents: 106, note: undefined }],
    // The server has asked for a minute.
    ['01a196fb-160a-7c17-8c78-f13473b2a77c', { to: 'bob', amountCents: 101 }],
  ]);
  const receipt = {
    paymentId: 'a2f1c6de-0a3c-4a55-9d67-5f1b0d8a7c11',
    amountCents: 102,
    paidAt: new Date('2026-11-01T12:00:00.020Z'),
  };
  expect(ended).toHaveLength(7);
  expect(ended).toEqual(
    expect.arrayContaining([
      [3, receipt],
      [4, 'Bob is not to be paid'],
      [8, expect.objectContaining({ reason: 'aborted', execution: 'none' })],
      ...[1, 2, 6, 7].map((seq) => [seq, 'paid']),
    ]),
  );
  expect(journal.records()).toMatchObject([{ seq: 5, state: 'unresolved', reason: 'expired' }]);
});
