import { expect, test } from 'vitest';
import { withTables } from './docs-tables.ts';
import { figureGroups, tableLines } from './figure-table.ts';
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
  const groups = figureGroups(findings);
  expect([...groups.keys()]).toEqual(['redis', 'yoga']);
  expect(tableLines(groups.get('redis') ?? [])).toMatchInlineSnapshot(`
    [
      "redis.fresh.64.vs_naive               1  ████████████│█···········  ≥ 0.90  met       0.80 to 1.20",
      "redis.replay.64.vs_naive           1.10  ██████████··│············  ≥ 1.30  missed",
      "redis.fresh.commands_per_mutation     2",
      "redis.fresh.64.wait_vs_plain          –                             ≥ 0.70  not here  a replica needs a redis-server on PATH",
    ]
  `);
  expect(tableLines(groups.get('yoga') ?? [])).toMatchInlineSnapshot(`
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
  expect(withTables(document, figureGroups(findings), machine)).toMatchInlineSnapshot(`
    "Before
    <!-- bench:yoga -->

    | figure                | median | 10 % to 90 % of the rounds | goal     |     |
    | --------------------- | ------ | -------------------------- | -------- | --- |
    | \`yoga.keyed_overhead\` | 12.3 % |                            | ≤ 15.0 % | met |

    Measured on 1970-01-01: 2 cores (a processor), 24 GiB, linux 6 x64, Node.js 20.0.0.

    <!-- /bench:yoga -->
    <!-- bench:pg -->kept<!-- /bench:pg -->"
  `);
});

test('what a machine is called stays on it', () => {
  const described = JSON.stringify(describeMachine(new Date()));
  expect(described).not.toContain(process.cwd());
});
