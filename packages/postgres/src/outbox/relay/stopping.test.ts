import { afterAll, describe, expect, test, vi } from 'vitest';
import { deferred } from '../../../../../test/support/deferred.ts';
import { openOutbox, tasks } from '../../../test/open-outbox.ts';
import { openPool } from '../../../test/open-schema.ts';
import { postgresOutbox } from '../postgres-outbox.ts';
import { createRelay } from './relay.ts';

const pool = openPool({ max: 12 });
afterAll(() => pool.end());

describe('a relay that is stopped', () => {
  test('takes no more jobs, and waits for those that run', async () => {
    await using opened = await openOutbox(pool);
    const { pay, relay, view, events } = opened;
    await pay(1);
    await pay(2);
    const begun = deferred();
    const goOn = deferred();
    const stopping = relay(
      {
        pay: () => {
          begun.resolve();
          return goOn.promise;
        },
      },
      { concurrency: 1 },
    );
    stopping.start();
    await begun.promise;
    let stopped = false;
    const stop = stopping.stop().then(() => {
      stopped = true;
    });
    await opened.elapse(100);
    expect(stopped).toBe(false);
    goOn.resolve();
    await stop;
    expect((await view()).map(({ state }) => state)).toEqual(['done', 'waiting']);
    expect(events.at(-1)).toMatchObject({ kind: 'job-done' });
  });

  test('stops a job that takes too long, and another relay runs it at once', async () => {
    await using opened = await openOutbox(pool);
    const { pay, relay, view, events } = opened;
    await pay(1);
    const begun = deferred();
    const reasons: unknown[] = [];
    const stopping = relay(
      {
        pay: ({ signal }) =>
          new Promise((_, reject) => {
            begun.resolve();
            signal.addEventListener('abort', () => {
              reasons.push(signal.reason);
              reject(new Error('stopped'));
            });
          }),
      },
      { maxAttempts: 1 },
    );
    stopping.start();
    await begun.promise;
    await stopping.stop({ limitMs: 20 });
    expect(reasons).toEqual([new Error('The relay is stopping')]);
    expect(events.at(-1)).toEqual({ kind: 'job-released', task: 'pay', attempt: 1 });
    expect(await view()).toMatchObject([{ state: 'waiting', attempt: 1 }]);

    // Its only attempt was not the job's fault.
    const attempts: number[] = [];
    await relay({ pay: ({ attempt }) => void attempts.push(attempt) }, { maxAttempts: 1 }).drain();
    expect(attempts).toEqual([2]);
  });

  test('leaves a job that does not stop to whoever finds its lease run out', async () => {
    await using opened = await openOutbox(pool);
    const { pay, relay, view, events } = opened;
    await pay(1);
    const begun = deferred();
    const stopping = relay({
      pay: () => {
        begun.resolve();
        return new Promise(() => {});
      },
    });
    stopping.start();
    await begun.promise;
    await stopping.stop({ limitMs: 20 });
    expect(events.at(-1)).toMatchObject({ kind: 'job-abandoned' });
    expect(await view()).toMatchObject([{ state: 'running', lease_ran_out: false }]);
  });

  test('undoes a transaction that does not stop, and lets go of the job at once', async () => {
    await using opened = await openOutbox(pool);
    const { pay, relay, view, effects } = opened;
    await pay(1);
    const begun = deferred();
    const stopping = relay({
      pay: {
        async transaction({ tx }) {
          await effects.write(tx, 'paid');
          begun.resolve();
          await new Promise(() => {});
        },
      },
    });
    stopping.start();
    await begun.promise;
    await stopping.stop({ limitMs: 20 });
    expect(await view()).toMatchObject([{ state: 'waiting' }]);
    expect(await effects.count('paid')).toBe(0);
  });

  test('gives every connection back, and cannot be used again', async () => {
    await using opened = await openOutbox(pool);
    const { schema } = opened;
    await using own = openPool({ max: 4 });
    const events: string[] = [];
    const relay = createRelay({
      outbox: postgresOutbox(own, { tasks, schema }),
      handlers: { pay: () => undefined },
      onEvent: ({ kind }) => void events.push(kind),
    });
    relay.start();
    relay.start();
    await expect(relay.drain()).rejects.toThrow(/needs no `drain`/);
    await vi.waitFor(() => expect(events).toContain('listening-started'));
    await relay.stop();
    await relay.stop();
    expect(own.idleCount).toBe(own.totalCount);
    expect(() => relay.start()).toThrow(/cannot be used again/);
    await expect(relay.drain()).rejects.toThrow(/cannot be used again/);
  });

  test('refuses a limit that no timer can wait for', async () => {
    await using opened = await openOutbox(pool);
    const stopping = opened.relay({ pay: () => undefined });
    await expect(stopping.stop({ limitMs: Infinity })).rejects.toThrow(/`limitMs`/);
  });
});
