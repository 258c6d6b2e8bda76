import { expect, test } from 'vitest';
import { withTables } from './docs-tables.ts';
import { figureRows, tableLines } from './figure-table.ts';
import { describeMachine } from './machine.ts';
import { spreadOf } from './spread.ts';

const findings = {
  figures: {
    'redis.fresh.64.vs_naive': spreadOf([0.8, 1, 1.2]),
    'redis.replay.64.vs_naive': spreadOf([1.1]),
    'redis.fresh.commands_per_mutation': spreadOf([2]),
    'yoga.keyed_overhead': spreadOf([0.1234]),
  },
  missing: { 'redis.fresh.64.wait_vs_plain': 'a replica needs a redis-server on PATH' },
};

test('a figure has a bar, its goal, and whether that is met', () => {
  const { 'yoga.keyed_overhead': share, ...figures } = findings.figures;
  expect(tableLines(figureRows({ ...findings, figures }))).toMatchInlineSnapshot(`
    [
      "redis.fresh.64.vs_naive               1  ████████████│█···········  ≥ 0.90  met       0.80 to 1.20",
      "redis.replay.64.vs_naive           1.10  ██████████··│············  ≥ 1.30  missed",
      "redis.fresh.commands_per_mutation     2",
      "redis.fresh.64.wait_vs_plain          –                             ≥ 0.70  not here  a replica needs a redis-server on PATH",
    ]
  `);
  const shares = { figures: { 'yoga.keyed_overhead': share } };
  expect(tableLines(figureRows(shares))).toMatchInlineSnapshot(`
    [
      "yoga.keyed_overhead  12.3 %  ██████████··│············  ≤ 15.0 %  met",
    ]
  `);
});

test('a document gets the tables of what was measured, and keeps the others', () => {
  const document = [
    'Before',
    '<!-- bench:yoga -->old<!-- /bench:yoga -->',
    '<!-- bench:pg -->kept<!-- /bench:pg -->',
  ].join('\n');
  const machine = {
    ...describeMachine(new Date(0)),
    ...{
      processor: 'a processor',
      cores: 2,
      memoryGib: 24,
      system: 'linux 6 x64',
      node: 'v20.0.0',
    },
  };
  const rows = figureRows({ figures: { 'yoga.keyed_overhead': spreadOf([0.1234]) } });
  const beside = [
    ['library', 'crash'],
    ['onceward', 'unknown'],
  ];
  const part = { rows, beside, against: ['Redis 7'], quick: true };
  expect(() => withTables(document, new Map([['trpc', part]]), machine)).toThrow('bench:trpc');
  expect(withTables(document, new Map([['yoga', part]]), machine)).toMatchInlineSnapshot(`
    "Before
    <!-- bench:yoga -->

    | figure                | median | 10 % to 90 % | goal     |     |
    | --------------------- | ------ | ------------ | -------- | --- |
    | \`yoga.keyed_overhead\` | 12.3 % |              | ≤ 15.0 % | met |

    | library  | crash   |
    | -------- | ------- |
    | onceward | unknown |

    Measured on 1970-01-01 00:00 UTC, as by \`npm run bench -- --only yoga --quick\`: 2 cores (a processor), 24 GiB, linux 6 x64, Node.js 20.0.0, Redis 7.

    <!-- /bench:yoga -->
    <!-- bench:pg -->kept<!-- /bench:pg -->"
  `);
});

test('what a machine is called stays on it', () => {
  const described = JSON.stringify(describeMachine(new Date()));
  expect(described).not.toContain(process.cwd());
});
