import { expect, test } from 'vitest';
import { gather } from './gather.ts';

test('a lone call is sent at once, and many travel together', async () => {
  const sent: number[][] = [];
  const call = gather(
    async (calls: readonly number[]) => {
      sent.push([...calls]);
      return calls.map((one) => one * 10);
    },
    { most: 16, oneAtATime: false },
  );
  const early = [1, 2, 3, 4, 5].map(call);
  const soon = Promise.resolve().then(() => call(6));
  expect(await Promise.all([...early, soon])).toEqual([10, 20, 30, 40, 50, 60]);
  expect(await call(7)).toBe(70);
  expect(sent[0]).toEqual([1]);
  expect(Math.max(...sent.map((group) => group.length))).toBeGreaterThan(1);
  expect(sent.flat()).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

test('nobody waits for an answer, nor for others when a group is full', async () => {
  const sent: number[][] = [];
  const call = gather(
    (calls: readonly number[]) => {
      sent.push([...calls]);
      return new Promise<never>(() => undefined);
    },
    { most: 2, oneAtATime: false },
  );
  const calls = Array.from({ length: 15 }, (_, at) => at);
  for (const one of calls) void call(one);
  const most = Math.max(...sent.map((group) => group.length));
  expect({ most, sent: sent.flat() }).toEqual({ most: 2, sent: calls.slice(0, 14) });
  await new Promise(process.nextTick);
  expect(sent.flat()).toEqual(calls);
});

test('one at a time: while a group is under way, the next one gathers', async () => {
  const sent: number[][] = [];
  const answers: (() => void)[] = [];
  const call = gather(
    (calls: readonly number[]) => {
      sent.push([...calls]);
      return new Promise<readonly unknown[]>((resolve) => answers.push(() => resolve(calls)));
    },
    { most: 3, oneAtATime: true },
  );
  const first = call(1);
  await new Promise(process.nextTick);
  const later = [2, 3, 4, 5].map(call);
  await new Promise(process.nextTick);
  expect(sent).toEqual([[1]]);

  answers[0]?.();
  expect(await first).toBe(1);
  await new Promise(process.nextTick);
  expect(sent).toEqual([[1], [2, 3, 4]]);
  answers[1]?.();
  await later[2];
  await new Promise(process.nextTick);
  answers[2]?.();
  expect(await Promise.all(later)).toEqual([2, 3, 4, 5]);
});

test('an error among the replies is for its own call', async () => {
  const call = gather(
    async (calls: readonly number[]) => calls.map((one) => (one === 2 ? new Error('two') : one)),
    { most: 16, oneAtATime: true },
  );
  const [first, second, third] = await Promise.allSettled([1, 2, 3].map(call));
  expect([first?.status, second?.status, third?.status]).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
});

test('a group that fails leaves the way free for the next', async () => {
  let fails = true;
  const call = gather(
    async (calls: readonly number[]) => {
      if (fails) throw new Error('gone');
      return calls;
    },
    { most: 16, oneAtATime: true },
  );
  await expect(Promise.all([call(1), call(2)])).rejects.toThrow('gone');
  fails = false;
  expect(await call(3)).toBe(3);
});
