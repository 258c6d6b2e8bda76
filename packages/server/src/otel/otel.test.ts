import { context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openEngine } from '../../../../test/support/engine-fixture.ts';
import { memoryStore } from '../memory/memory-store.ts';
import { observeRecords, openTelemetryHooks, type OpenTelemetryOptions } from './index.ts';

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
});
afterAll(() => context.disable());

/** The real SDK, with exporters that keep what they are given. */
function openTelemetry() {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  const meters = new MeterProvider({ readers: [reader] });
  const spans = new InMemorySpanExporter();
  const tracers = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
  const meter = meters.getMeter('test');
  return {
    meter,
    tracer: tracers.getTracer('test'),
    spans: () => spans.getFinishedSpans(),
    /** Every data point: what is measured, what it belongs to, and how much. */
    async points() {
      await reader.forceFlush();
      const scopes = exporter.getMetrics().at(-1)?.scopeMetrics ?? [];
      return scopes
        .flatMap(({ metrics }) => metrics)
        .flatMap(({ descriptor, dataPoints }) =>
          dataPoints.map(({ attributes, value }) => ({ name: descriptor.name, attributes, value })),
        );
    },
    async [Symbol.asyncDispose]() {
      await meters.shutdown();
      await tracers.shutdown();
    },
  };
}

function openTracedEngine(options: OpenTelemetryOptions) {
  return openEngine({ hooks: openTelemetryHooks(options) });
}

describe('metrics', () => {
  test('count executions and replays by operation, effect and kind of scope', async () => {
    await using telemetry = openTelemetry();
    const scopeLabel = (scope: string) => (scope.startsWith('big') ? 'enterprise' : 'free');
    const { mutation, newKey } = openTracedEngine({ ...telemetry, scopeLabel });
    for (const scope of ['big-bank', 'alice']) {
      const intent = { scope, key: newKey() };
      for (let delivery = 0; delivery < 3; delivery++) await mutation().runOnce(intent, () => 1);
    }
    const points = await telemetry.points();
    const labels = { 'idempotency.operation': 'pay', 'idempotency.effect': 'external' };
    for (const plan of ['enterprise', 'free']) {
      const attributes = { ...labels, 'idempotency.scope': plan };
      expect(points).toContainEqual({
        ...{ name: 'api.idempotency.reserve.created.count', attributes, value: 1 },
      });
      expect(points).toContainEqual({
        ...{ name: 'api.idempotency.reserve.replay.count', attributes, value: 2 },
      });
    }
  });

  test('say how long attempts took, and how they ended', async () => {
    await using telemetry = openTelemetry();
    const { mutation, newKey, clock } = openTracedEngine(telemetry);
    const running = mutation().runOnce({ scope: 'alice', key: newKey() }, async () => {
      await new Promise<void>((resolve) => void clock.setTimer(resolve, 2_000));
    });
    await clock.advance(2_000);
    await running;
    const durations = (await telemetry.points()).filter(
      ({ name }) => name === 'api.idempotency.attempt.duration',
    );
    expect(durations).toMatchObject([
      { attributes: { 'idempotency.ending': 'completed' }, value: { count: 1, sum: 2 } },
    ]);
  });

  test('never carry a key or a scope', async () => {
    await using telemetry = openTelemetry();
    const { mutation, newKey } = openTracedEngine(telemetry);
    const key = newKey();
    await mutation().runOnce({ scope: 'canary', key, input: 'canary' }, () => 'canary');
    const text = JSON.stringify(await telemetry.points());
    expect(text).not.toContain('canary');
    expect(text).not.toContain(key);
  });

  test('show how many records are in each state, until they are not asked for any more', async () => {
    await using telemetry = openTelemetry();
    const store = memoryStore();
    const { mutation, newKey } = openEngine({ store });
    await mutation().runOnce({ scope: 'alice', key: newKey() }, () => 1);
    const stats = vi.spyOn(store, 'stats');
    using observing = observeRecords({ store, meter: telemetry.meter });
    expect(await telemetry.points()).toContainEqual({
      name: 'api.idempotency.records',
      attributes: { 'idempotency.state': 'completed' },
      value: 1,
    });
    observing[Symbol.dispose]();
    await telemetry.points();
    expect(stats).toHaveBeenCalledTimes(1);
  });
});

describe('spans', () => {
  test('show the parts of an attempt, each attempt of an intent under one digest of its key', async () => {
    await using telemetry = openTelemetry();
    const { mutation, newKey } = openTracedEngine(telemetry);
    const intent = { scope: 'alice', key: newKey() };
    await mutation().runOnce(intent, () => 1);
    await mutation().runOnce(intent, () => 1);
    const spans = telemetry.spans();
    expect(spans.map(({ name }) => name)).toEqual([
      'idempotency.reserve',
      'idempotency.execute',
      'idempotency.complete',
      'idempotency.reserve',
    ]);
    const hashes = new Set(spans.map(({ attributes }) => attributes['idempotency.key_hash']));
    expect(hashes.size).toBe(1);
    expect([...hashes][0]).toMatch(/^[0-9a-f]{16}$/);
  });

  test('of what a handler does are children of its execution', async () => {
    await using telemetry = openTelemetry();
    const { mutation, newKey } = openTracedEngine(telemetry);
    await mutation().runOnce({ scope: 'alice', key: newKey() }, async () => {
      await Promise.resolve();
      telemetry.tracer.startSpan('insert').end();
    });
    const spans = telemetry.spans();
    const [insert, execute] = ['insert', 'idempotency.execute'].map((name) =>
      spans.find((span) => span.name === name),
    );
    expect(insert?.parentSpanContext?.spanId).toBe(execute?.spanContext().spanId);
  });

  test('of what failed say so by name, and never repeat the message', async () => {
    await using telemetry = openTelemetry();
    const { mutation, newKey, line } = openTracedEngine(telemetry);
    line.fail('reserve', 'lost-request', 2);
    const run = mutation().runOnce({ scope: 'alice', key: newKey() }, () => 1);
    await expect(run).rejects.toMatchObject({ code: 'IDEMPOTENCY_STORE_UNAVAILABLE' });
    expect(telemetry.spans()).toMatchObject([
      { name: 'idempotency.reserve', status: { message: 'IDEMPOTENCY_STORE_UNAVAILABLE' } },
    ]);
  });
});
