import { readFileSync } from 'node:fs';
import { mintKey } from '@onceward/core';
import { createEngine, createMaintenance, createReconciler, memoryStore } from '@onceward/server';
import { observeRecords, openTelemetryHooks } from '@onceward/server/otel';
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { parse } from 'yaml';
import { expect, test } from 'vitest';

const folder = new URL('../../docs/monitoring/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');

interface Dashboard {
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly query: string }[] };
}

interface Panel {
  readonly title: string;
  readonly description: string;
  readonly gridPos: {
    readonly x: number;
    readonly y: number;
    readonly w: number;
    readonly h: number;
  };
  readonly targets: readonly { readonly expr: string }[];
}

interface Alerts {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly alert: string;
      readonly expr: string;
      readonly annotations: Readonly<Record<string, string>>;
    }[];
  }[];
}

const dashboard = JSON.parse(read('grafana-dashboard.json')) as Dashboard;
const rules = (parse(read('prometheus-alerts.yml')) as Alerts).groups.flatMap(({ rules }) => rules);

/** What Prometheus scrapes from a process in which all of it has happened once. */
async function scrape(): Promise<string> {
  const exporter = new PrometheusExporter({ preventServerStart: true });
  const provider = new MeterProvider({ readers: [exporter] });
  const meter = provider.getMeter('test');
  const hooks = openTelemetryHooks({ meter, scopeLabel: () => 'free' });
  let now = Date.now();
  const store = memoryStore({ now: () => now });
  const engine = createEngine({ store, hooks, acceptLoss: true });
  using _observing = observeRecords({ store, meter });

  const rename = engine.mutation({ operation: 'rename', effect: 'natural' });
  const retried = { scope: 'alice', key: mintKey() };
  await rename.runOnce(retried, () => Promise.reject(new Error('timeout'))).catch(refused);
  await rename.runOnce(retried, () => 1);
  await rename.runOnce(retried, () => 1);
  await rename.runOnce({ ...retried, input: 'another' }, () => 1).catch(refused);

  const busy = { scope: 'alice', key: mintKey() };
  await rename.runOnce(busy, async () => {
    await rename.runOnce(busy, () => 1).catch(refused);
  });

  for (const kind of ['unsure', 'executed'] as const) {
    const resolve = () => ({ kind });
    const pay = engine.mutation({ operation: 'pay', effect: 'external', resolve });
    const intent = { scope: 'alice', key: mintKey() };
    await pay.runOnce(intent, () => Promise.reject(new Error('timeout'))).catch(refused);
    await pay.runOnce(intent, () => 1).catch(refused);
    await createReconciler({ store, mutations: [pay], hooks }).run();
  }

  const broken = { ...store, name: 'broken', reserve: () => Promise.reject(new Error('down')) };
  const failing = createEngine({
    store: Object.setPrototypeOf(broken, store),
    hooks,
    acceptLoss: true,
  });
  await failing
    .mutation({ operation: 'pay', effect: 'natural' })
    .runOnce({ scope: 'alice', key: mintKey() }, () => 1)
    .catch(refused);

  const { scope, key } = { scope: 'alice', key: mintKey() };
  await store.reserve({
    ...{ scope, key, keyTimestampMs: now, token: mintKey(), operation: 'pay' },
    ...{ leaseMs: 1, onStaleLease: 're-execute', keyRetentionMs: 1, maxClockSkewMs: 0 },
    fingerprint: { version: 1, digest: new Uint8Array(32) },
  } as never);
  now += 30 * 24 * 60 * 60_000;
  const maintenance = createMaintenance({ store, hooks });
  await maintenance.sweep();
  await maintenance.prune();

  const { resourceMetrics } = await exporter.collect();
  await provider.shutdown();
  return new PrometheusSerializer().serialize(resourceMetrics);
}

/** The exporter of Node.js leaves the unit out of a name, and others put it in: see `(_seconds)?`. */
function namesIn(expression: string, exported: ReadonlySet<string>): string[] {
  const names: string[] = [];
  const others = expression.replace(/__name__=~"([^"]+)"/g, (_, pattern: string) => {
    const matches = [...exported].filter((name) => new RegExp(`^${pattern}$`).test(name));
    names.push(...(matches.length > 0 ? matches : [pattern]));
    return '';
  });
  return [...names, ...(others.match(/api_idempotency_\w+/g) ?? [])];
}

/** That it is refused is what is counted. */
function refused(): void {}

test('every metric and label of the dashboard and the alerts is one that is exported', async () => {
  const scraped = await scrape();
  const exported = new Set(scraped.match(/^api_idempotency_\w+/gm));
  const labels = new Set(scraped.match(/idempotency_\w+(?==")/g));
  const expressions = [
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ...dashboard.templating.list.map(({ query }) => query),
    ...rules.map(({ expr }) => expr),
  ];
  const used = new Set(expressions.flatMap((each) => namesIn(each, exported)));
  const usedLabels = new Set(
    expressions.flatMap((each) => each.match(/(?<!\w)idempotency_\w+/g) ?? []),
  );
  expect([...used].filter((name) => !exported.has(name))).toEqual([]);
  expect([...usedLabels].filter((name) => !labels.has(name))).toEqual([]);
  // And the other way round: what is exported is looked at, except for what a histogram repeats.
  const unseen = [...exported].filter((name) => !used.has(name) && !name.endsWith('_sum'));
  expect(unseen).toEqual([]);
});

test('panels say what they show, and none covers another', () => {
  const cells = new Set<string>();
  for (const { title, description, gridPos } of dashboard.panels) {
    expect(description, title).toMatch(/\.$/);
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        expect(cells.has(`${x},${y}`), title).toBe(false);
        cells.add(`${x},${y}`);
      }
    }
  }
});

test('every alert says what is wrong, and the operator’s guide what to do about it', () => {
  const guide = readFileSync(new URL('../operations.md', folder), 'utf8');
  for (const { alert, annotations } of rules) {
    expect(annotations['summary'], alert).toBeTruthy();
    expect(annotations['description'], alert).toBeTruthy();
    expect(guide, alert).toContain(alert);
  }
});
