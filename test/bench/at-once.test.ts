import { expect, test } from 'vitest';
import { atOnce } from './at-once.ts';
import { interleave } from './interleave.ts';

test('as many operations are under way as were asked for, and each is about its own item', async () => {
  let [prepared, underWay, most] = [0, 0, 0];
  const seen: number[] = [];
  const contestant = atOnce(
    4,
    () => prepared++,
    async (item) => {
      most = Math.max(most, ++underWay);
      seen.push(item);
      await new Promise(setImmediate);
      underWay--;
    },
  );
  expect(await contestant(10)).toBeGreaterThan(0);
  expect({ prepared, most, seen }).toEqual({
    prepared: 10,
    most: 4,
    seen: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  });
});

test('contestants take turns, and another one begins each round', async () => {
  const order: string[] = [];
  const contestant = (name: string) => async (count: number) => {
    order.push(name);
    return count * 10;
  };
  const rounds: string[] = [];
  const samples = await interleave(
    { one: contestant('1'), two: contestant('2') },
    { rounds: 3, sliceMs: 0.5, onRound: (done, of) => void rounds.push(`${done}/${of}`) },
  );
  expect(samples).toEqual({ one: [10, 10, 10], two: [10, 10, 10] });
  expect(order.slice(-6).join('')).toBe('122112');
  expect(rounds).toEqual(['1/3', '2/3', '3/3']);
});
