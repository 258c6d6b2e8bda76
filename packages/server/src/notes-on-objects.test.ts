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
