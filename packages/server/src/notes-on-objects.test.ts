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

test('what was made from an object has no note of it, and keeps its own', () => {
  const notes = new NotesOnObjects<string>();
  const subject = { user: 'alice' };
  notes.set(subject, 'noted');
  const made = Object.create(subject) as object;
  expect(notes.get(made)).toBeUndefined();
  notes.set(made, 'another');
  expect([notes.get(subject), notes.get(made)]).toEqual(['noted', 'another']);
});

test('a note can still be made on what was frozen after its first', () => {
  const notes = new NotesOnObjects<string>();
  const subject = { user: 'alice' };
  notes.set(subject, 'first');
  notes.set(Object.freeze(subject), 'second');
  expect(notes.get(subject)).toBe('second');
});
