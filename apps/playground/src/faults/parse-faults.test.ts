import { expect, test } from 'vitest';
import { type Faults, parseFaults } from './parse-faults.ts';

const none: Faults = { delayMs: 0, holdMs: 0, unavailable: false, drop: false, crash: false };

test.for<[string | null, Partial<Faults>]>([
  [null, {}],
  ['', {}],
  ['delay=0', {}],
  ['delay=250', { delayMs: 250 }],
  ['hold=60000', { holdMs: 60_000 }],
  ['status=503', { unavailable: true }],
  ['drop', { drop: true }],
  ['crash', { crash: true }],
  ['hold=5, drop ,status=503,', { holdMs: 5, drop: true, unavailable: true }],
])('%j is understood', ([header, faults]) => {
  expect(parseFaults(header)).toEqual({ faults: { ...none, ...faults } });
});

test.for([
  'explode',
  'delay',
  'delay=',
  'delay=-1',
  'delay=1.5',
  'hold=60001',
  'status=500',
  'Drop',
])('%s is refused, with what could be meant', (word) => {
  expect(parseFaults(`drop,${word}`)).toEqual({
    problem:
      `x-fault: ${word} is not a fault. Use one or more of delay=<ms>, hold=<ms>, status=503, ` +
      'drop and crash, with commas between them, and at most 60000 ms.',
  });
});
