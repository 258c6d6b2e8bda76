import { expect, test } from 'vitest';
import { openEngine } from '../../../../test/support/engine-fixture.ts';
import type { EngineHooks, TraceSpan } from './engine-hooks.ts';
import { countMetrics, type MetricPoint } from './metrics.ts';

test('events become the counters that dashboards know', async () => {
  const points: MetricPoint[] = [];
  const onEvent = countMetrics((point) => void points.push(point));
  const { mutation, newKey, line } = openEngine({ hooks: { onEvent } });
  const rename = mutation({ effect: 'natural' });
  const intent = { scope: 'alice', key: newKey(), input: 1 };
  const ignore = () => undefined;

  await rename.runOnce(intent, fails).catch(ignore);
  await rename.runOnce(intent, () => rename.runOnce(intent, fails).catch(ignore));
  await rename.runOnce(intent, fails);
  await rename.runOnce({ ...intent, input: 2 }, fails).catch(ignore);
  const external = { scope: 'alice', key: newKey() };
  await mutation().runOnce(external, fails).catch(ignore);
  line.fail('reserve', 'lost-request');
  await rename.runOnce(intent, fails).catch(ignore);
  onEvent({ kind: 'leases-swept', released: 2, unknown: 1 });
  onEvent({ kind: 'records-pruned', pruned: 4, answersDropped: 9 });
  onEvent({ kind: 'records-pruned', pruned: 0, answersDropped: 0 });

  const names = points.map(({ name }) => name.replace('api.idempotency.', ''));
  expect(names).toEqual([
    'reserve.created.count',
    'reserve.failed_retry.count',
    'reserve.in_progress.count',
    'reserve.replay.count',
    'reserve.key_misuse.count',
    'reserve.created.count',
    'reserve.unknown.count',
    'store.error.count',
    'zombie_key.count',
    'ttl_pruned.count',
  ]);
  expect(points.slice(-2).map(({ value }) => value)).toEqual([3, 4]);
});

test('events and spans never carry a key, a scope, an input or an answer', async () => {
  const spans: TraceSpan[] = [];
  const { mutation, newKey, events } = openEngine({
    hooks: {
      trace: (span, run) => {
        spans.push(span);
        return run();
      },
    },
  });
  const intent = { scope: 'canary-scope', key: newKey(), input: 'canary-input' };
  await mutation().runOnce(intent, () => 'canary-answer');
  await mutation().runOnce(intent, fails);
  expect(spans.map(({ name }) => name)).toEqual([
    'idempotency.reserve',
    'idempotency.execute',
    'idempotency.complete',
    'idempotency.reserve',
  ]);
  const observed = JSON.stringify([events, spans]);
  expect(observed).not.toContain('canary');
  expect(observed).not.toContain(intent.key);
  expect(spans[0]?.attributes['idempotency.key_hash']).toMatch(/^[0-9a-f]{16}$/);
});

test('an observer whose promise rejects changes nothing, and does not end the process', async () => {
  const onEvent = (): unknown => Promise.reject(new Error('unheard'));
  const { mutation, newKey } = openEngine({ hooks: { onEvent } });
  const run = await mutation().runOnce({ scope: 'alice', key: newKey() }, () => 'paid');
  expect(run).toMatchObject({ value: 'paid' });
});

test('a tracer can neither run a part twice, nor skip it, nor replace what happened', async () => {
  const tracers: EngineHooks['trace'][] = [
    (_, run) => run().then(run),
    () => Promise.reject(new Error('tracer down')),
    (_, run) => run().then(fails),
  ];
  for (const trace of tracers) {
    const { mutation, newKey } = openEngine({ hooks: trace ? { trace } : {} });
    let executions = 0;
    const intent = { scope: 'alice', key: newKey() };
    expect(await mutation().runOnce(intent, () => ++executions)).toMatchObject({ value: 1 });
    expect(executions).toBe(1);
  }
});

test('an observer that throws changes nothing', async () => {
  const { mutation, newKey } = openEngine({ hooks: { onEvent: fails } });
  const run = await mutation().runOnce({ scope: 'alice', key: newKey() }, () => 'paid');
  expect(run).toMatchObject({ value: 'paid', replayed: false });
});

function fails(): never {
  throw new Error('oops');
}
