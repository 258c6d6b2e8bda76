import { expect, test } from 'vitest';
import { transactionsPerSecond } from './pgbench.ts';
import { perSecond } from './redis-benchmark.ts';

test('pgbench is believed about what it did between connecting and the end', () => {
  const printed = [
    'latency average = 1.961 ms',
    'initial connection time = 21.315 ms',
    'tps = 8157.279361 (without initial connection time)',
  ].join('\n');
  expect(transactionsPerSecond(printed)).toBe(8157.279361);
  expect(() => transactionsPerSecond('pgbench: error')).toThrow('Expected pgbench to say');
});

test('redis-benchmark is read from its last line, whatever the command', () => {
  const csv = [
    '"test","rps","avg_latency_ms"',
    '"SET limit:__rand_int__ a,b PX ""60000""","81234.50","0.4"',
  ].join('\n');
  expect(perSecond(csv)).toBe(81234.5);
  expect(() => perSecond('Could not connect')).toThrow('Expected a line of CSV');
});
