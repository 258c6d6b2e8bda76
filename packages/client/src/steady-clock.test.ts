import { expect, test } from 'vitest';
import { steadyClock } from './steady-clock.ts';

/** A clock that a test sets, and whose timers it fires. */
function settableClock(startMs: number) {
  const timers: (() => void)[] = [];
  const clock = {
    ms: startMs,
    now: () => clock.ms,
    setTimer(callback: () => void) {
      timers.push(callback);
      return () => {};
    },
  };
  return { clock, fire: () => timers.splice(0).forEach((callback) => callback()) };
}

test('a steady clock goes on with the clock below', () => {
  const { clock } = settableClock(1_000);
  const steady = steadyClock(clock);
  clock.ms = 1_250;
  expect(steady.now()).toBe(1_250);
});

test('a steady clock is not set back, and goes on from where it was', () => {
  const { clock } = settableClock(10_000);
  const steady = steadyClock(clock);
  clock.ms = 4_000;
  expect(steady.now()).toBe(10_000);
  clock.ms = 4_500;
  expect(steady.now()).toBe(10_500);
});

test('a timer that has fired has taken its time, whatever the clock below says', () => {
  const { clock, fire } = settableClock(10_000);
  const steady = steadyClock(clock);
  steady.setTimer(() => {}, 2_000);
  clock.ms = 4_000;
  fire();
  expect(steady.now()).toBe(12_000);
});
