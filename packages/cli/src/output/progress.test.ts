import { expect, test } from 'vitest';
import { startProgress } from './progress.ts';

function openOutput(isTTY: boolean) {
  const written: string[] = [];
  return { isTTY, written, write: (text: string) => void written.push(text) };
}

test('a person sees one line that is written over, and taken away at the end', () => {
  const output = openOutput(true);
  const progress = startProgress(output, { title: 'sweeping', total: 100 });
  progress.update(50, '3 released');
  // The total is an estimate: it is never done before the end.
  progress.update(500, '9 released');
  progress.end();
  expect(output.written).toEqual([
    `\r\u001b[Ksweeping [${'#'.repeat(12)}${'.'.repeat(12)}] 50%  3 released`,
    `\r\u001b[Ksweeping [${'#'.repeat(24)}] 99%  9 released`,
    '\r\u001b[K',
  ]);
});

test('without an estimate there is no bar, and a log gets nothing', () => {
  const output = openOutput(true);
  startProgress(output, { title: 'pruning', total: 0 }).update(7, '1 pruned');
  expect(output.written).toEqual(['\r\u001b[Kpruning  1 pruned']);
  const log = openOutput(false);
  const progress = startProgress(log, { title: 'pruning', total: 10 });
  progress.update(7, '1 pruned');
  progress.end();
  expect(log.written).toEqual([]);
});
