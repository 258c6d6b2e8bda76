import { expect } from 'vitest';

/** What `exerciseAppJournal` reports in every engine. */
export function expectAppJournal(report: unknown): void {
  expect(report).toEqual({
    restart: {
      seenOffline: 0,
      found: [{ state: 'queued', attempts: 0 }],
      // The server's seven seconds, and some; then half of what a second failure may wait.
      waits: ['1: http 7500 ms', '2: network 500 ms'],
      answers: [{ cents: 100, replayed: true }],
      paid: [100],
      sameKey: true,
      rowsLeft: 0,
      timersLeft: 0,
    },
    killed: { keys: [true, true], paid: [100] },
    lanes: [9, 1, 2, 3],
    cancelled: {
      beforeSending: 'cancelled',
      whileSending: 'maybe-executed',
      afterwards: 'settled',
      errors: [
        { name: 'DeliveryError', reason: 'aborted', execution: 'none', isError: true },
        { name: 'DeliveryError', reason: 'aborted', execution: 'possible', isError: true },
      ],
      paid: [2, 3],
      sent: 2,
      recordsLeft: 0,
    },
    signedIn: { refreshes: 1, paid: [1, 2], attempts: [1, 1], sameKeys: true },
    signedOut: {
      events: ['sign-in-needed'],
      kept: [{ state: 'waiting', reason: 'unauthorized' }],
      paidBefore: [],
      paid: [1],
    },
    quarantined: {
      problems: ['corrupt', 'newer', 'corrupt'],
      events: ['row-quarantined', 'row-quarantined', 'row-quarantined'],
      paid: [1],
      rowsLeft: 3,
    },
    expired: {
      unresolved: [{ same: true, reason: 'expired' }],
      newKey: true,
      paidBefore: [1, 2],
      paid: [1, 2],
    },
    refused: {
      joined: true,
      conflict: { name: 'JournalError', reason: 'conflict', isError: true },
      full: { name: 'JournalError', reason: 'full', isError: true },
      closed: { name: 'JournalError', reason: 'closed', isError: true },
      sent: 0,
    },
  });
}
