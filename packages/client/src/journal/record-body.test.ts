import { expect, test } from 'vitest';
import { journalRecord } from '../../test/journal-fixture.ts';
import { readBody, writeBody } from './record-body.ts';

const record = journalRecord({ seq: 7, meta: { note: 'für Ñandú 🦤', lone: '\ud800' } });
const body = writeBody(record);
const rowOf = (text: string) => ({ seq: 7, rev: 1, scope: 'alice', intent: null, body: text });

test('a record comes back as it was, with what its row says about place and owner', () => {
  expect(readBody(body, rowOf(body))).toEqual(record);
  const elsewhere = { seq: 9, rev: 4, scope: 'bob' };
  expect(readBody(body, { ...rowOf(body), ...elsewhere })).toEqual({ ...record, ...elsewhere });
});

test('the body says neither where it stands nor whose it is, nor how often it was changed', () => {
  expect(body).not.toContain('"seq"');
  expect(body).not.toContain('"rev"');
  expect(body).not.toContain('"scope"');
});

test.each([
  ['nothing', '', 'corrupt'],
  ['half of it', body.slice(0, body.length / 2), 'corrupt'],
  ['one more character', `${body} `, 'corrupt'],
  ['one letter that is another', body.replace('cents', 'centt'), 'corrupt'],
  ['two letters that changed places', body.replace('cents', 'censt'), 'corrupt'],
  ['the sum of something else', body.replace(/^1:\w+:/, '1:abc:'), 'corrupt'],
  ['no sum', body.replace(/^1:\w+:/, '1::'), 'corrupt'],
  ['a later version', body.replace(/^1:/, '2:'), 'newer'],
  ['a much later version, of another form', '10:x:y', 'newer'],
] as const)('%s is quarantined', (_, text, problem) => {
  expect(readBody(text, rowOf(text))).toBe(problem);
});
