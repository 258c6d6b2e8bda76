import { expect, test } from 'vitest';
import { fetchedIn } from './callgrind.ts';

const written = `# callgrind format
positions: line
events: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw
summary: 1 1 1 1 1 1 1 1 1

totals: 900000 200000 100000 17000 8000 2600 4400 3300 2300
`;

test('what was fetched is counted for each mutation, by the names of the events', () => {
  expect(fetchedIn(written, 10)).toEqual({ code: 440, data: 560 });
  const reordered = written.replaceAll('ILmr', 'swapped').replace('Ir', 'ILmr');
  expect(fetchedIn(reordered, 10).code).toBe(90_000);
});

test('what is not counted is not taken for nothing', () => {
  expect(() => fetchedIn('', 10)).toThrow('Expected Callgrind to count ILmr');
  expect(() => fetchedIn(written.replace(' 2300', ''), 10)).toThrow('DLmw');
});
