import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { goals } from './goals.ts';
import { parts } from './parts.ts';
import { spreadOf } from './spread.ts';
import { vanished, withVanished } from './vanished.ts';

test('every figure that was promised has a goal, under the name that the JSON has', () => {
  const promised = [
    ...['1', '16', '64', '256'].map((each) => `pg.fresh.${each}.vs_naive`),
    'pg.fresh.64.vs_pgbench_insert_update',
    ...['pg.replay.64.vs_naive', 'pg.replay.64.vs_pgbench_select', 'pg.conflict.64.vs_naive'],
    ...['pg.fresh.wal_bytes', 'pg.fresh.hot_share', 'pg.fresh.index_bytes_per_key'],
    ...['pg.replay.wal_bytes', 'pg.fresh.64.round_trips_per_mutation'],
    ...['pg.fresh.1.round_trips_per_mutation', 'pg.replay.1.round_trips_per_mutation'],
    ...['pg.atomic.64.vs_bare_transaction', 'pg.atomic.64.vs_bare_transaction.1ms'],
    ...['pg.atomic.round_trips', 'pg.growth.5m_vs_10k', 'pg.retention.drop_vs_delete'],
    ...['redis.fresh.64.vs_naive', 'redis.replay.64.vs_naive', 'redis.fresh.64.wait_vs_plain'],
    ...['redis.bytes_per_key', 'fingerprint.4kb.vs_json_stringify'],
    ...['yoga.keyed_overhead', 'trpc.keyed_overhead'],
    ...['pg.stress.deadlocks', 'pg.stress.double_executions'],
  ];
  const named = Object.values(goals).flatMap((each) => Object.keys(each));
  expect(named).toEqual(expect.arrayContaining(promised));
  expect(new Set(named).size).toBe(named.length);
});

test('every part with goals can be asked for', () => {
  expect(Object.keys(parts)).toEqual(expect.arrayContaining(Object.keys(goals)));
});

const read = (path: string) => readFileSync(join(import.meta.dirname, path), 'utf8');

test('the document has a place for the table of every part', () => {
  const places = read('../../docs/benchmarks.md').matchAll(
    /<!-- bench:(\w+) -->[^]*?<!-- \/bench:\1 -->/g,
  );
  expect(Array.from(places, ([, name]) => name).sort()).toEqual(Object.keys(parts).sort());
});

test('a goal that is no longer measured is missed', () => {
  const name = 'pg.growth.5m_vs_10k';
  expect(vanished('growth', { figures: { [name]: spreadOf([0.9]) } })).toEqual([]);
  expect(vanished('growth', { figures: {}, missing: { [name]: 'no room' } })).toEqual([]);
  expect(vanished('growth', { figures: { 'pg.growth.5m': spreadOf([0.9]) } })).toEqual([name]);
  // Which JSON would write as null.
  expect(vanished('growth', { figures: { [name]: spreadOf([NaN]) } })).toEqual([name]);
  expect(withVanished('growth', { figures: {} }).missing).toEqual({
    [name]: 'nothing measures it any more',
  });
});

test('every figure of the document is explained', () => {
  const explained = read('README.md').split('\n').flatMap(patternsIn);
  const figures = read('../../docs/benchmarks.md').matchAll(/^\| `(\S+)` +\| [-\d]/gm);
  const unexplained = Array.from(figures, ([, name]) => name!).filter(
    (name) => !explained.some((each) => each.test(name)),
  );
  expect(unexplained).toEqual([]);
});

/** The names in a row. `N` stands for anything, and `…` for what the first name of the row begins with. */
function patternsIn(row: string): RegExp[] {
  const names = Array.from(row.matchAll(/`([a-z]+\.[^`]*|….[^`]*)`/g), ([, name]) => name!);
  const begin = /^[a-z]+/.exec(names[0] ?? '')?.[0] ?? '';
  return names.map((name) => {
    const parts = name.replace(/^…/, `${begin}…`).split(/[A-Z]+|…/);
    return RegExp(`^${parts.map((part) => part.replaceAll('.', '\\.')).join('.+')}$`);
  });
}
