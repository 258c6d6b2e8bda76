import { expect, test } from 'vitest';
import { createVirtualClock } from '../../../../test/support/virtual-clock.ts';
import { TimerQueue, type TimerQueueOptions } from './timer-queue.ts';

function open(options?: TimerQueueOptions) {
  const clock = createVirtualClock();
  const queue = new TimerQueue(clock, 800, options);
  const called: string[] = [];
  const add = (name: string) => queue.add({ onTimeUp: () => void called.push(name) });
  return { clock, queue, called, add };
}

test('whoever waits is called within the last eighth of the time', async () => {
  const { clock, called, add } = open();
  await clock.advance(50);
  add('one');
  await clock.advance(699);
  expect(called).toEqual([]);
  await clock.advance(101);
  expect(called).toEqual(['one']);
});

test('whoever is removed is not called, and those around are', async () => {
  const { clock, queue, called, add } = open();
  const [first, , third, , fifth] = ['1', '2', '3', '4', '5'].map(add);
  for (const place of [first, third, fifth]) queue.remove(place!);
  await clock.advance(800);
  expect(called).toEqual(['2', '4']);
});

test('to remove somebody twice, or after the time, changes nothing', async () => {
  const { clock, queue, called, add } = open();
  const place = add('one');
  queue.remove(place);
  queue.remove(place);
  const late = add('two');
  await clock.advance(800);
  queue.remove(late);
  add('three');
  await clock.advance(800);
  expect(called).toEqual(['two', 'three']);
});

test('whoever comes later is called later, and one who is called may add another', async () => {
  const { clock, queue, called, add } = open();
  queue.add({ onTimeUp: () => void add('again') });
  await clock.advance(400);
  add('later');
  await clock.advance(400);
  expect(called).toEqual([]);
  await clock.advance(400);
  expect(called).toEqual(['later']);
  await clock.advance(800);
  expect(called).toEqual(['later', 'again']);
});

test('an event loop that was blocked leaves those who wait the ticks that are left', async () => {
  const { clock, called, add } = open();
  add('one');
  await clock.advance(100);
  clock.jump(10_000);
  await clock.advance(500);
  expect(called).toEqual([]);
  await clock.advance(200);
  expect(called).toEqual(['one']);
});

test('a queue that catches up counts what a blocked event loop skipped', async () => {
  const { clock, called, add } = open({ catchUp: true });
  add('one');
  await clock.advance(100);
  clock.jump(500);
  await clock.advance(199);
  expect(called).toEqual([]);
  await clock.advance(1);
  expect(called).toEqual(['one']);
});

test('a queue that catches up goes on counting when the clock was set back', async () => {
  const virtual = createVirtualClock();
  let setBackMs = 0;
  const clock = { ...virtual, now: () => virtual.now() - setBackMs };
  const queue = new TimerQueue(clock, 800, { catchUp: true });
  let called = false;
  queue.add({ onTimeUp: () => void (called = true) });
  await virtual.advance(100);
  setBackMs = 3_600_000;
  await virtual.advance(700);
  expect(called).toBe(true);
});

test('an empty queue has no timer', async () => {
  const { clock, queue, add } = open();
  queue.remove(add('one'));
  await clock.advance(100);
  expect(clock.pending()).toBe(0);
});
