import { expect, test } from 'vitest';
import { openProgress } from './progress.ts';

test('a terminal has one line that is updated', () => {
  const written = sayAll(true);
  expect(written).toContain('\r\u001b[K0:00  Redis: round 2 of 3');
  expect(written).not.toContain('\n');
});

test('elsewhere there is a line for each thing that is measured', () => {
  expect(sayAll(false)).toBe('0:00  Redis\n0:00  peers\n');
});

function sayAll(isTTY: boolean): string {
  let written = '';
  const write = (text: string | Uint8Array) => {
    written += String(text);
    return true;
  };
  const progress = openProgress({ isTTY, write });
  progress.begin('Redis');
  progress.step(1, 3);
  progress.step(2, 3);
  progress.begin('peers');
  progress.end();
  return written;
}
