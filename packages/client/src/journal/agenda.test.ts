import { expect, test } from 'vitest';
import { journalRecord } from '../../test/journal-fixture.ts';
import { Agenda } from './agenda.ts';
import type { JournalRecord } from './journal-record.ts';

test('what has no lane is taken in the order it entered, and once', () => {
  const agenda = agendaOf(recordOf(1), recordOf(2));
  expect(takeAll(agenda)).toEqual([1, 2]);
  expect(takeAll(agenda)).toEqual([]);
});

test('of a lane, the earliest is taken, whichever a tab heard of first', () => {
  const [late, early] = [recordOf(7, { lane: 'a' }), recordOf(3, { lane: 'a' })];
  const agenda = agendaOf(late, early);
  expect(takeAll(agenda)).toEqual([3]);
  agenda.leave(early);
  expect(takeAll(agenda)).toEqual([7]);
});

test('what is put off keeps its place in its lane', () => {
  const agenda = agendaOf(recordOf(1, { lane: 'a' }), recordOf(2, { lane: 'a' }));
  expect(takeAll(agenda)).toEqual([1]);
  agenda.putOff(1, 1_000);
  expect(takeAll(agenda)).toEqual([]);
  expect(agenda.dueAt()).toBe(1_000);
  agenda.wake(999);
  expect(takeAll(agenda)).toEqual([]);
  agenda.wake(1_000);
  expect(takeAll(agenda)).toEqual([1]);
  expect(agenda.dueAt()).toBe(Infinity);
});

test('what waits for two others is taken when both have left', () => {
  const [first, second] = [recordOf(1), recordOf(2)];
  const agenda = agendaOf(first, second);
  agenda.enter(recordOf(3), [first.id, second.id]);
  expect(takeAll(agenda)).toEqual([1, 2]);
  expect(agenda.dependentsOf(second.id)).toEqual([3]);
  agenda.leave(first);
  expect(takeAll(agenda)).toEqual([]);
  agenda.leave(second);
  expect(takeAll(agenda)).toEqual([3]);
});

test('what is unresolved holds up its lane until it leaves, and counts', () => {
  const unresolved = recordOf(1, { lane: 'a', state: 'unresolved' });
  const agenda = agendaOf(unresolved, recordOf(2, { lane: 'a' }));
  expect(takeAll(agenda)).toEqual([]);
  expect(agenda.size).toBe(2);
  agenda.leave(unresolved);
  expect(takeAll(agenda)).toEqual([2]);
});

test('only what is meant is hurried', () => {
  const agenda = agendaOf(recordOf(1), recordOf(2));
  takeAll(agenda);
  agenda.putOff(1, 5_000);
  agenda.putOff(2, 5_000);
  agenda.hurry((seq) => seq === 2);
  agenda.wake(0);
  expect(takeAll(agenda)).toEqual([2]);
});

function agendaOf(...records: JournalRecord[]): Agenda {
  const agenda = new Agenda();
  for (const record of records) agenda.enter(record, []);
  return agenda;
}

function takeAll(agenda: Agenda): number[] {
  const taken: number[] = [];
  for (let seq = agenda.take(); seq !== undefined; seq = agenda.take()) taken.push(seq);
  return taken;
}

function recordOf(seq: number, members: Partial<JournalRecord> = {}): JournalRecord {
  return journalRecord({ seq, id: `id ${seq}`, ...members });
}
