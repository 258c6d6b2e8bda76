import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { UNIQUE_VIOLATION } from '../../database/sql-state.ts';
import { retryLostRaces } from './retry-lost-races.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const lost = Object.assign(new Error('duplicate key'), { code: UNIQUE_VIOLATION });

test('whoever lost a race asks again when PostgreSQL has had time to unlock rows', async () => {
  const send = vi.fn(async () => 'placed').mockRejectedValueOnce(lost);
  const answer = retryLostRaces(send);
  await vi.advanceTimersByTimeAsync(10);
  expect(send).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(20);
  expect(await answer).toBe('placed');
});

test('whoever loses time and again is told', async () => {
  const send = vi.fn().mockRejectedValue(lost);
  const answer = expect(retryLostRaces(send)).rejects.toBe(lost);
  await vi.runAllTimersAsync();
  await answer;
  expect(send).toHaveBeenCalledTimes(5);
});

test('no other failure is tried again', async () => {
  const send = vi.fn().mockRejectedValue(new Error('gone'));
  await expect(retryLostRaces(send)).rejects.toThrow('gone');
  expect(send).toHaveBeenCalledTimes(1);
});
