import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { spreadOf } from '../spread.ts';
import { entries } from './entries.ts';
import { besideSpeed, readSafety } from './safety.ts';

test('every library that is measured has been compared, and its safety stands beside its speed', () => {
  const document = readFileSync(join(import.meta.dirname, '../../../docs/compared.md'), 'utf8');
  const figures = {
    'peers.dbos.fresh.64': spreadOf([7.125]),
    'peers.dbos.double_executions': spreadOf([0]),
  };
  const [head = [], ...rows] = besideSpeed(entries, figures, readSafety(document));
  expect(head).toEqual([
    ...['library', 'new keys', 'replays', 'executed twice, of 140'],
    ...['crash', 'store down', 'reordered JSON', 'second user', 'empty answer'],
  ]);
  expect(rows.map(([library]) => library)).toEqual(entries.map(({ library }) => library));
  expect(rows.flat()).not.toContain('not compared');
  for (const row of rows) expect(row.slice(4).join('')).toMatch(/^([✓○✗][^✓○✗]+){5}$/);
  expect(rows.find(([library]) => library === '@dbos-inc/dbos-sdk')?.slice(1, 4)).toEqual([
    ...['7.13', '1', '0'],
  ]);
});
