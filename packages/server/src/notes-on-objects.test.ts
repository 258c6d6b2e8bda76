import { expect, test } from 'vitest';
import { NotesOnObjects } from './notes-on-objects.ts';

test.each<[string, object]>([
  ['any object', { user: 'alice' }],
  ['a function', () => undefined],
  ['one that is frozen', Object.freeze({ user: 'alice' })],
  ['one that takes no members', Object.preventExtensions({ user: 'alice' })],
])('%s has the last note that was made on it', (_, subject) => {
  const notes = new NotesOnObjects<string>();
  expect(notes.get(subject)).toBeUndefined();
  for (const note of ['first', 'second']) {
    notes.set(subject, note);
    expect(notes.get(subject)).toBe(note);
  }
  expect(new NotesOnObjects<string>().get(subject)).toBeUndefined();
});

test('nobody sees a note, and a copy has none', () => {
  const notes = new NotesOnObjects<string>();
  const subject = { user: 'alice' };
  notes.set(subject, 'noted');
  const copy = { ...subject };
  expect(Object.entries(subject)).toEqual([['user', 'alice']]);
  expect(notes.get(copy)).toBeUndefined();
  expect(Object.getOwnPropertySymbols(copy)).toEqual([]);
});

test('what was made from an object has no note of it', () => {
  const notes = new NotesOnObjects<string>();
  const subject = { user: 'alice' };
  notes.set(subject, 'noted');
  const made = Object.create(subject) as object;
  expect(notes.get(made)).toBeUndefined();
  notes.set(made, 'its own');
  expect([notes.get(subject), notes.get(made)]).toEqual(['noted', 'its own']);
  expect(Object.getOwnPropertySymbols({ ...made })).toEqual([]);
});

test('an object that is frozen after its first note has its second one', () => {
  const notes = new NotesOnObjects<string>();
  const subject = { user: 'alice' };
  notes.set(subject, 'first');
  Object.freeze(subject);
  expect(notes.get(subject)).toBe('first');
  notes.set(subject, 'second');
  expect(notes.get(subject)).toBe('second');
});

test('a proxy that refuses to be written on has its note all the same', () => {
  const notes = new NotesOnObjects<string>();
  const subject = new Proxy({}, { defineProperty: () => false });
  notes.set(subject, 'noted');
  expect(notes.get(subject)).toBe('noted');
});
