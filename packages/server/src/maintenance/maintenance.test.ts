import { expect, test } from 'vitest';
import { deferred } from '../../../../test/support/deferred.ts';
import { openEngine } from '../../../../test/support/engine-fixture.ts';
import { createMaintenance } from './maintenance.ts';

test('a sweep goes through every page and reports what it found', async () => {
  const { mutation, newKey, clock, line, events } = openEngine({ leaseMs: 3_000 });
  line.fail('renew', 'lost-request');
  for (let intent = 0; intent < 25; intent++) {
    const effect = intent < 10 ? 'external' : 'natural';
    const dead = { scope: 'alice', key: newKey() };
    void mutation({ effect }).runOnce(dead, () => new Promise<never>(() => {}));
  }
  await clock.advance(3_000);
  const hooks = { onEvent: (event: (typeof events)[number]) => void events.push(event) };
  const maintenance = createMaintenance({ store: line.store, clock, pageSize: 10, hooks });
  expect(await maintenance.sweep()).toEqual({ released: 15, unknown: 10 });
  expect(line.calls.filter((call) => call === 'sweep').length).toBeGreaterThan(2);
  expect(events).toContainEqual({ kind: 'leases-swept', released: 15, unknown: 10 });
});

test('it runs on its schedule, once at a time, until it is stopped', async () => {
  const { clock, line } = openEngine();
  const maintenance = createMaintenance({
    ...{ store: line.store, clock, sweepEveryMs: 1_000, pruneEveryMs: 3_000 },
  });
  maintenance.start();
  maintenance.start();
  await clock.advance(6_500);
  expect(line.calls.filter((call) => call === 'sweep')).toHaveLength(6);
  expect(line.calls.filter((call) => call === 'prune')).toHaveLength(2);
  await maintenance.stop();
  await clock.advance(6_000);
  expect(line.calls.filter((call) => call === 'sweep')).toHaveLength(6);
  expect(clock.pending()).toBe(0);
});

test('a store that fails is reported, and the schedule goes on', async () => {
  const { clock, line, events } = openEngine();
  const hooks = { onEvent: (event: (typeof events)[number]) => void events.push(event) };
  line.fail('sweep', 'lost-request', 1);
  await using maintenance = createMaintenance({
    ...{ store: line.store, clock, hooks, sweepEveryMs: 1_000 },
  });
  maintenance.start();
  await clock.advance(2_000);
  expect(events.map(({ kind }) => kind)).toEqual(['store-failed', 'leases-swept']);
});

test('stopping waits for a run that is under way', async () => {
  const { clock, line } = openEngine();
  const sweeping = deferred();
  const { sweep } = line.store;
  line.store.sweep = async (page) => {
    await sweeping.promise;
    return sweep(page);
  };
  const maintenance = createMaintenance({ store: line.store, clock, sweepEveryMs: 1_000 });
  maintenance.start();
  await clock.advance(1_000);
  let stopped = false;
  const stopping = maintenance.stop().then(() => (stopped = true));
  await clock.advance(0);
  expect(stopped).toBe(false);
  sweeping.resolve();
  await stopping;
});
