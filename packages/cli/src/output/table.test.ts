import { expect, test } from 'vitest';
import { formatFacts, formatTable } from './table.ts';

test('columns are as wide as what is in them, and nothing trails', () => {
  const columns = [{ title: 'KEY' }, { title: 'COUNT', align: 'right' as const }, { title: 'X' }];
  expect(
    formatTable(columns, [
      ['a longer one', '7', ''],
      ['b', '1234567', 'y'],
    ]),
  ).toBe('KEY             COUNT  X\na longer one        7\nb             1234567  y\n');
});

test('what could move the cursor of a terminal is shown by its number', () => {
  const shown = formatTable([{ title: 'SCOPE' }], [['a\u001b]0;title\u0007\n\u202eb\u009b2J']]);
  expect(shown).toBe('SCOPE\na\\u{1b}]0;title\\u{7}\\u{a}\\u{202e}b\\u{9b}2J\n');
  expect(formatFacts({ scope: 'x\r', none: undefined })).toBe('scope  x\\u{d}\n');
});
