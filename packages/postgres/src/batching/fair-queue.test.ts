import { expect, test } from 'vitest';
import { FairQueue } from './fair-queue.ts';

function queueOf(...items: readonly string[]): FairQueue<string> {
  const queue = new FairQueue<string>();
  for (const item of items) queue.push(item.slice(0, 1), item);
  return queue;
}

const drain = (queue: FairQueue<string>) => {
  const items: string[] = [];
  while (queue.size > 0) items.push(queue.shift() ?? 'nothing');
  return items;
};

test('scopes take turns, and each keeps its order', () => {
  const queue = queueOf('a1', 'a2', 'a3', 'b1', 'c1', 'b2');
  expect(queue.size).toBe(6);
  expect(drain(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  expect(queue.shift()).toBeUndefined();
});

test('a scope that comes later waits for one turn of the others', () => {
  const queue = queueOf('a1', 'a2', 'a3');
  queue.shift();
  queue.push('b', 'b1');
  expect(drain(queue)).toEqual(['a2', 'b1', 'a3']);
});

test('some are taken out of their turn, and the others keep theirs', () => {
  const queue = queueOf('a1', 'a2', 'b1', 'b2', 'c1');
  expect(queue.takeOut((item) => item.endsWith('1'), Infinity)).toEqual(['a1', 'b1', 'c1']);
  expect(queue.size).toBe(2);
  expect(queue.sizeOf('a')).toBe(1);
  expect(queue.sizeOf('c')).toBe(0);
  expect(queue.takeOut(() => true, 1)).toEqual(['a2']);
  expect(drain(queue)).toEqual(['b2']);
});
