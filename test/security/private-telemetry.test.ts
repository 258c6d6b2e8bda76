import { mintKey } from '@onceward/core';
import { countMetrics, createEngine, type MetricPoint, type TraceSpan } from '@onceward/server';
import { expect, test, vi } from 'vitest';
import { codeOf, openBank } from './open-bank.ts';

test('S12: no event, span, metric, refusal or line of output has a key, a user, an input or an answer', async () => {
  const spans: TraceSpan[] = [];
  const points: MetricPoint[] = [];
  const output = ['log', 'info', 'warn', 'error', 'debug'] as const;
  const silenced = output.map((name) => vi.spyOn(console, name).mockImplementation(() => {}));
  const written = vi.spyOn(process.stderr, 'write');
  const metrics = countMetrics((point) => void points.push(point));
  const heard: unknown[] = [];
  await using bank = await openBank({
    hooks: {
      onEvent(event) {
        heard.push(event);
        metrics(event);
      },
      trace(span, run) {
        spans.push(span);
        return run();
      },
    },
  });
  bank.handle = () => ({ answer: 'canary-answer' });
  const key = mintKey();
  const input = { email: 'canary-input@example.com' };
  const answers = [
    await bank.send({ user: 'mallory', key, input }),
    await bank.send({ user: 'mallory', key, input }),
    await bank.send({ user: 'mallory', key, input: { email: 'canary-other' } }),
    await bank.send({ user: 'mallory', headers: { 'idempotency-key': `canary-${key}` }, input }),
    await bank.send({ user: 'mallory', input }),
  ];
  bank.line.fail('reserve', 'lost-request');
  answers.push(await bank.send({ user: 'mallory', key: mintKey(), input }));
  const printed = [...silenced, written].flatMap(({ mock }) => mock.calls.map(String));
  vi.restoreAllMocks();

  expect(answers.slice(2).map(codeOf)).toEqual([
    'IDEMPOTENCY_KEY_REUSED',
    'IDEMPOTENCY_KEY_INVALID',
    'IDEMPOTENCY_KEY_MISSING',
    'IDEMPOTENCY_STORE_UNAVAILABLE',
  ]);
  expect(spans.length).toBeGreaterThan(2);
  expect(points.length).toBeGreaterThan(2);
  const refusals = answers.slice(2).map(({ text }) => text);
  const all = JSON.stringify([heard, spans, points, refusals, printed]);
  for (const secret of ['canary', key, key.slice(14), 'mallory', 'connection refused']) {
    expect(all).not.toContain(secret);
  }
});

test('S12: however many keys and users there are, metrics have the same few labels', async () => {
  const labels = new Set<string>();
  await using bank = await openBank();
  const engine = createEngine({
    store: bank.line.store,
    acceptLoss: true,
    hooks: {
      onEvent: countMetrics(({ name, labels: given }) => {
        labels.add(JSON.stringify([name, given]));
      }),
    },
  });
  const pay = engine.mutation({ operation: 'pay', effect: 'external' });
  const seen: number[] = [];
  for (let user = 0; user < 50; user++) {
    await pay.runOnce({ scope: `user ${user}`, key: mintKey(), input: user }, () => user);
    seen.push(labels.size);
  }
  expect(seen.at(-1)).toBe(seen[0]);
});
