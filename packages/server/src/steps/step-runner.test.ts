import { keyTimestamp } from '@onceward/core';
import { describe, expect, test } from 'vitest';
import { deferred } from '../../../../test/support/deferred.ts';
import { openEngine } from '../../../../test/support/engine-fixture.ts';
import type { Step } from './step-runner.ts';
import { mustNotRun } from '../../../../test/support/must-not-run.ts';

describe('a step', () => {
  test('that finished is not run again, and returns what it returned', async () => {
    const { mutation, newKey } = openEngine();
    const book = mutation({ effect: 'steps' });
    const intent = { scope: 'alice', key: newKey() };
    const ran: string[] = [];
    let paying = true;
    const run = () =>
      book.runOnce(intent, async ({ step, attempt }) => {
        const seat = await step('seat', () => (ran.push(`seat ${attempt}`), { row: 7 }));
        await step('charge', () => {
          ran.push(`charge ${attempt}`);
          if (paying) throw new Error('timeout');
        });
        return seat.row;
      });

    await expect(run()).rejects.toThrow('timeout');
    paying = false;
    expect(await run()).toMatchObject({ value: 7, replayed: false });
    expect(ran).toEqual(['seat 1', 'charge 1', 'charge 2']);
    expect(await run()).toMatchObject({ value: 7, replayed: true });
    expect(ran).toHaveLength(3);
  });

  test('has a downstream key that is the same on every attempt and different from all others', async () => {
    const { mutation, newKey } = openEngine();
    const book = mutation({ effect: 'steps' });
    const intent = { scope: 'alice', key: newKey() };
    const keys: string[] = [];
    for (let attempt = 0; attempt < 2; attempt++) {
      const run = book.runOnce(intent, async ({ step }) => {
        await step('charge', ({ downstreamKey }) => {
          keys.push(downstreamKey);
          expect(keyTimestamp(downstreamKey)).toBe(keyTimestamp(intent.key));
          throw new Error('timeout');
        });
      });
      await expect(run).rejects.toThrow('timeout');
    }
    expect(keys[0]).toBe(keys[1]);
    expect(keys[0]).not.toBe(intent.key);
  });

  test('may run beside others', async () => {
    const { mutation, newKey } = openEngine();
    const book = mutation({ effect: 'steps' });
    const intent = { scope: 'alice', key: newKey() };
    let failing = true;
    const run = () =>
      book.runOnce(intent, ({ step }) =>
        Promise.all([
          step('slow', async () => {
            await Promise.resolve();
            if (failing) throw new Error('timeout');
            return 'slow';
          }),
          step('fast', () => 'fast'),
        ]),
      );
    await expect(run()).rejects.toThrow('timeout');
    await Promise.resolve();
    failing = false;
    expect(await run()).toMatchObject({ value: ['slow', 'fast'] });
  });

  test('whose value cannot be kept is recorded as done, and not run again', async () => {
    const { mutation, newKey } = openEngine();
    const book = mutation({ effect: 'steps' });
    const intent = { scope: 'alice', key: newKey() };
    let runs = 0;
    for (let attempt = 0; attempt < 3; attempt++) {
      const run = book.runOnce(intent, ({ step }) => step('charge', () => BigInt(++runs)));
      await expect(run).rejects.toThrow(/'charge' took effect/);
    }
    expect(runs).toBe(1);
  });

  test('named twice in one mutation is refused', async () => {
    const { mutation, newKey } = openEngine();
    const book = mutation({ effect: 'steps' });
    const run = book.runOnce({ scope: 'alice', key: newKey() }, async ({ step }) => {
      await step('charge', () => 1);
      await step('charge', () => 2);
    });
    await expect(run).rejects.toThrow(/Two steps/);
  });
});

describe('a step that still runs when its mutation fails', () => {
  test('is waited for, so that the next attempt finds it finished', async () => {
    const { mutation, newKey, clock } = openEngine();
    const book = mutation({ effect: 'steps' });
    const intent = { scope: 'alice', key: newKey() };
    const slow = deferred<string>();
    let shipped = 0;
    const first = book.runOnce(intent, ({ step }) =>
      Promise.all([
        step('charge', () => Promise.reject(new Error('declined'))),
        step('ship', () => (shipped++, slow.promise)),
      ]),
    );
    const outcome = expect(first).rejects.toThrow('declined');
    await clock.advance(0);
    await expect(book.runOnce(intent, mustNotRun)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_IN_PROGRESS',
    });
    slow.resolve('shipped');
    await outcome;
    const second = await book.runOnce(intent, ({ step }) =>
      Promise.all([step('charge', () => 'charged'), step('ship', () => shipped++)]),
    );
    expect(second.value).toEqual(['charged', 'shipped']);
    expect(shipped).toBe(1);
  });

  test('and fails unheard does not end the process', async () => {
    const { mutation, newKey } = openEngine();
    const book = mutation({ effect: 'steps' });
    const intent = { scope: 'alice', key: newKey() };
    // Vitest fails on an unhandled rejection.
    await book.runOnce(intent, ({ step }) => {
      void step('notify', () => Promise.reject(new Error('unheard')));
      return 'booked';
    });
    expect(await book.runOnce(intent, mustNotRun)).toMatchObject({ value: 'booked' });
  });

  test('cannot start another one after its mutation has ended', async () => {
    const { mutation, newKey } = openEngine();
    const book = mutation({ effect: 'steps' });
    let late: Step | undefined;
    await book.runOnce({ scope: 'alice', key: newKey() }, ({ step }) => void (late = step));
    await expect(late?.('charge', mustNotRun)).rejects.toThrow(/after its mutation had ended/);
  });
});

test('a step whose record was not confirmed is saved again, and not run again', async () => {
  const { mutation, newKey, line, clock } = openEngine();
  const book = mutation({ effect: 'steps' });
  const intent = { scope: 'alice', key: newKey() };
  line.fail('saveProgress', 'lost-answer', 2);
  let charged = 0;
  const run = (crash: boolean) =>
    book.runOnce(intent, async ({ step }) => {
      await step('charge', () => ++charged);
      if (crash) throw new Error('timeout');
      return charged;
    });
  const first = expect(run(true)).rejects.toThrow('timeout');
  await clock.advance(1_000);
  await first;
  expect(await run(false)).toMatchObject({ value: 1 });
});

test.each([[''], ['x'.repeat(201)], ['\ud800'], ['a\0b'], [undefined as never]])(
  'a step named %j is refused before it runs',
  async (name) => {
    const { mutation, newKey } = openEngine();
    const book = mutation({ effect: 'steps' });
    const run = book.runOnce({ scope: 'alice', key: newKey() }, ({ step }) =>
      step(name, mustNotRun),
    );
    await expect(run).rejects.toThrow(/name of a step/);
  },
);

describe('steps that changed between two attempts', () => {
  const releases: [string, string[], RegExp][] = [
    ['renamed', ['place', 'charge', 'confirm'], /Step 1 is 'place' now/],
    ['reordered', ['charge', 'seat', 'confirm'], /not moved or renamed/],
    ['removed', ['charge', 'confirm'], /not moved or renamed/],
    ['removed at the end', ['seat'], /'charge', which is gone/],
  ];

  test.each(releases)('are refused when %s, and nothing more is run', async (_, names, message) => {
    const { mutation, newKey } = openEngine();
    const book = mutation({ effect: 'steps' });
    const intent = { scope: 'alice', key: newKey() };
    const first = book.runOnce(intent, async ({ step }) => {
      await step('seat', () => 1);
      await step('charge', () => 2);
      throw new Error('deployed');
    });
    await expect(first).rejects.toThrow('deployed');
    const ran: string[] = [];
    const second = book.runOnce(intent, async ({ step }) => {
      for (const name of names) await step(name, () => void ran.push(name));
    });
    await expect(second).rejects.toThrow(message);
    expect(ran).toEqual([]);
  });

  test('may be added at the end', async () => {
    const { mutation, newKey } = openEngine();
    const book = mutation({ effect: 'steps' });
    const intent = { scope: 'alice', key: newKey() };
    const first = book.runOnce(intent, async ({ step }) => {
      await step('seat', () => 1);
      throw new Error('deployed');
    });
    await expect(first).rejects.toThrow('deployed');
    const second = await book.runOnce(intent, async ({ step }) => {
      return [await step('seat', mustNotRun), await step('charge', () => 2)];
    });
    expect(second.value).toEqual([1, 2]);
  });
});

test('a holder that lost its lease saves no step', async () => {
  const { mutation, newKey, line, suspend } = openEngine({ leaseMs: 3_000 });
  const book = mutation({ effect: 'steps' });
  const run = book.runOnce({ scope: 'alice', key: newKey() }, async ({ step }) => {
    suspend(5_000);
    await line.store.sweep({ limit: 10 });
    await step('charge', () => 'charged');
    throw new Error('the handler must not go on');
  });
  await expect(run).rejects.toMatchObject({ code: 'IDEMPOTENCY_IN_PROGRESS' });
});
