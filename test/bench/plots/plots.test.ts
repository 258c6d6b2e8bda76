import { expect, test } from 'vitest';
import { ratesOf } from '../findings.ts';
import { apart, ticksBetween } from './line-plot.ts';
import { plotsOf } from './write-plots.ts';

test('ticks are round numbers around what there is', () => {
  expect(ticksBetween(3_837, 42_771)).toEqual([2_000, 5_000, 10_000, 20_000, 50_000]);
  expect(ticksBetween(100, 1_000)).toEqual([100, 200, 500, 1_000]);
});

test('labels that would cover each other are moved apart, and the others stay', () => {
  expect(apart([10, 100, 200], 18)).toEqual([10, 100, 200]);
  const [first = 0, second = 0, third = 0] = apart([100, 104, 300], 18);
  expect(second - first).toBeCloseTo(18);
  expect(third).toBe(300);
});

test('a race at several concurrencies is lines, and the peers are bars', () => {
  const plots = plotsOf([
    ...ratesOf('redis.fresh', 1, { naive: [100], kit: [120], limit: [50] }),
    ...ratesOf('redis.fresh', 64, { naive: [25], kit: [25], limit: [20] }),
    ...ratesOf('redis.replay', 64, { naive: [25], kit: [15] }),
    ...ratesOf('peers.some_peer.fresh', 64, { kit: [50], peer: [100] }),
  ]);
  expect(Object.keys(plots)).toEqual(['redis-fresh.svg', 'peers.svg']);
  const [lines = '', bars = ''] = Object.values(plots);
  expect(lines.match(/<polyline/g)).toHaveLength(3);
  expect(lines).toContain('>onceward</text>');
  expect(lines).toContain('prefers-color-scheme: dark');
  expect(bars).toContain('some-peer, fresh');
  expect(bars).toContain('20 k onceward');
  expect(`${lines}${bars}`).not.toMatch(/NaN|undefined|Infinity/);
});
