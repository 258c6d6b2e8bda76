import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from './clock.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000 });
});

afterEach(() => {
  vi.useRealTimers();
});

test('a timer calls back once, after its time', () => {
  const calledAt: number[] = [];
  systemClock.setTimer(() => calledAt.push(systemClock.now()), 50);
  vi.advanceTimersByTime(500);

  expect(calledAt).toEqual([1_050]);
});

test('a cancelled timer never calls back', () => {
  const callback = vi.fn();
  const cancel = systemClock.setTimer(callback, 50);
  cancel();
  vi.advanceTimersByTime(500);

  expect(callback).not.toHaveBeenCalled();
});

test('only a background timer lets the process end', () => {
  vi.useRealTimers();
  const timeouts = vi.spyOn(globalThis, 'setTimeout');
  const cancelBackground = systemClock.setTimer(() => {}, 60_000, { background: true });
  const cancelForeground = systemClock.setTimer(() => {}, 60_000);
  const [background, foreground] = timeouts.mock.results.map(
    ({ value }) => value as NodeJS.Timeout,
  );

  expect(background?.hasRef()).toBe(false);
  expect(foreground?.hasRef()).toBe(true);
  cancelBackground();
  cancelForeground();
  timeouts.mockRestore();
});
