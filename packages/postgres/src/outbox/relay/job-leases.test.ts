import type { IdempotencyKey } from '@onceward/core';
import { expect, test } from 'vitest';
import { type Deferred, deferred } from '../../../../../test/support/deferred.ts';
import { createVirtualClock } from '../../../../../test/support/virtual-clock.ts';
import { JobLeases } from './job-leases.ts';
import type { ResolvedRelay } from './relay-options.ts';
import { RunningJob } from './running-job.ts';

/** Leases of 300 ms on a database that answers when the test says so, with what it says. */
function openLeases() {
  const clock = createVirtualClock();
  const asked: Deferred<'renewed' | 'busy' | 'lease-lost'>[] = [];
  const query = async () => {
    const answer = deferred<'renewed' | 'busy' | 'lease-lost'>();
    asked.push(answer);
    const renewal = await answer.promise;
    return renewal === 'lease-lost' ? [] : [{ answer: JSON.stringify({ id: '1', renewal }) }];
  };
  const relay = { database: { query }, schema: '"x"', leaseMs: 300, clock };
  const leases = new JobLeases(relay as unknown as ResolvedRelay);
  const lease = { id: '1', token: 'token', key: 'key' as IdempotencyKey };
  const job = { ...lease, task: 'pay', lane: null, payload: '{}', attempt: 1, tries: 1 };
  const running = new RunningJob(job, clock.now() + 300);
  leases.add(running);
  return { clock, asked, leases, running };
}

test('a lease is renewed after a third of its time, however long the answer takes', async () => {
  const { clock, asked, leases, running } = openLeases();
  await clock.advance(100);
  expect(asked).toHaveLength(1);
  await clock.advance(150);
  asked[0]?.resolve('renewed');
  await clock.advance(1);
  expect(asked).toHaveLength(2);
  asked[1]?.resolve('renewed');
  await clock.advance(99);
  expect(asked).toHaveLength(2);
  await clock.advance(1);
  expect(asked).toHaveLength(3);
  expect(running.stopped).toBeUndefined();
  leases.remove(running);
  expect(clock.pending()).toBe(0);
});

test('a lease that cannot be renewed is asked for more often, and trusted to its end', async () => {
  const { clock, asked, running } = openLeases();
  await clock.advance(100);
  asked[0]?.reject(new Error('Connection terminated unexpectedly'));
  await clock.advance(30);
  expect(asked).toHaveLength(2);
  await clock.advance(169);
  expect(running.stopped).toBeUndefined();
  await clock.advance(1);
  expect(running.stopped).toBe('lease-lost');
  expect(running.signal.aborted).toBe(true);
  asked[1]?.resolve('renewed');
  await clock.advance(1_000);
  expect(asked).toHaveLength(2);
  expect(clock.pending()).toBe(0);
});

test('a lease that somebody is just changing is neither renewed nor lost', async () => {
  const { clock, asked, running } = openLeases();
  await clock.advance(100);
  asked[0]?.resolve('busy');
  await clock.advance(100);
  asked[1]?.resolve('busy');
  await clock.advance(99);
  expect(running.stopped).toBeUndefined();
  await clock.advance(1);
  expect(running.stopped).toBe('lease-lost');
});

test('a lease that another relay has is lost at once', async () => {
  const { clock, asked, running } = openLeases();
  await clock.advance(100);
  asked[0]?.resolve('lease-lost');
  await clock.advance(0);
  expect(running.stopped).toBe('lease-lost');
  expect(clock.pending()).toBe(0);
});
