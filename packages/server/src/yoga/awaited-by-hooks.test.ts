import type { ExecutionResult } from 'graphql';
import { describe, expect, test } from 'vitest';
import { type AroundHooks, AwaitedByHooks, type HookedResult } from './awaited-by-hooks.ts';

const raw = { data: { step: 'raw' } };
const masked = { data: { step: 'masked' } };

/** Notes who was called with what, and answers with what it was given. */
function noted(changes: Partial<AroundHooks> = {}) {
  const calls: unknown[] = [];
  const around: AroundHooks = {
    executed: (result) => (calls.push(['executed', result]), result),
    async failed(error) {
      calls.push(['failed', error]);
      throw error;
    },
    finish: (result) => (calls.push(['finish', result]), result as ExecutionResult),
    async abandon(error) {
      calls.push(['abandon', error]);
      throw error;
    },
    ...changes,
  };
  return { around, calls };
}

describe('what is executed', () => {
  test('is shown to hooks, and what they make of it is finished', async () => {
    const { around, calls } = noted();
    const awaited = new AwaitedByHooks(Promise.resolve(raw), around);
    expect(await awaited.then(() => masked)).toBe(masked);
    expect(calls).toEqual([
      ['executed', raw],
      ['finish', masked],
    ]);
  });

  test('is executed, shown and finished in one turn', async () => {
    const { around, calls } = noted();
    const ended = new AwaitedByHooks(Promise.resolve(raw), around).then(() => masked);
    await Promise.resolve();
    expect(calls).toHaveLength(2);
    await ended;
  });

  test('is waited for wherever somebody takes longer', async () => {
    const { around, calls } = noted({ executed: async () => masked });
    const awaited = new AwaitedByHooks(Promise.resolve(raw), around);
    const hooks = async (shown: HookedResult) => (calls.push(['hooks', shown]), shown);
    expect(await awaited.then(hooks)).toBe(masked);
    expect(calls).toEqual([
      ['hooks', masked],
      ['finish', masked],
    ]);
  });
});

describe('what fails', () => {
  const broken = new Error('broken');

  test.each([
    [
      'throws',
      () => {
        throw broken;
      },
    ],
    ['rejects', () => Promise.reject(broken)],
  ])('in a hook that %s is abandoned', async (_, hooks) => {
    const { around, calls } = noted();
    const awaited = new AwaitedByHooks(Promise.resolve(raw), around);
    await expect(awaited.then(hooks)).rejects.toBe(broken);
    expect(calls.at(-1)).toEqual(['abandon', broken]);
  });

  test('while it is executed is shown to hooks as what it was made into', async () => {
    const { around, calls } = noted({ failed: async () => masked });
    const awaited = new AwaitedByHooks(Promise.reject(broken), around);
    expect(await awaited.then((shown) => shown)).toBe(masked);
    expect(calls).toEqual([['finish', masked]]);
  });

  test('while it is executed, and is no result, is abandoned unless hooks make one of it', async () => {
    const { around, calls } = noted();
    const awaited = new AwaitedByHooks(Promise.reject(broken), around);
    await expect(awaited.then((shown) => shown)).rejects.toBe(broken);
    expect(calls.at(-1)).toEqual(['abandon', broken]);
    expect(await awaited.catch(() => masked)).toBe(masked);
    expect(calls.at(-1)).toEqual(['finish', masked]);
  });
});

test('whoever waits by `await` has the result, of which nobody knows what comes', async () => {
  const { around, calls } = noted();
  expect(await new AwaitedByHooks(Promise.resolve(raw), around)).toBe(raw);
  expect(calls.at(-1)).toEqual(['abandon', expect.any(TypeError)]);
});

test('it is a promise to whoever looks', async () => {
  const { around } = noted();
  const awaited = new AwaitedByHooks(Promise.resolve(raw), around);
  let last = false;
  expect(await awaited.finally(() => void (last = true))).toBe(raw);
  expect([last, awaited[Symbol.toStringTag]]).toEqual([true, 'Promise']);
});
