import { setTimeout as delay } from 'node:timers/promises';
import type { StoreStats } from '@onceward/core/store';
import type { Command } from 'commander';
import type { CliContext } from '../cli-context.ts';
import type { CommandHost } from '../command-host.ts';
import { type DatabaseOptions, withDatabase } from '../connection/database-options.ts';
import { type OpenDatabase, withOpenDatabase } from '../connection/open-database.ts';
import { parseCount } from '../count.ts';
import { timeOption } from '../duration.ts';
import { examples } from '../examples.ts';
import { exitCode, type ExitCode } from '../exit-code.ts';
import { jsonLine } from '../output/json-line.ts';
import { formatTable } from '../output/table.ts';
import { formatTime } from '../output/time.ts';

export function addWatch(program: Command, { context, end }: CommandHost): void {
  withDatabase(program.command('watch'))
    .description('counts and their changes, again and again until Ctrl-C')
    .addOption(timeOption('--interval <time>', 'how often', '1s'))
    .option('--ticks <count>', 'end after so many', parseCount)
    .addHelpText(
      'after',
      `${examples({
        'onceward watch': 'while you deploy, or break something',
        'onceward watch --json --ticks 60 > minute.ndjson': 'one JSON line per tick',
      })}

Each tick reads every record. On large tables it comes less often than --interval, so that the
database spends at most a fifth of the time on it.`,
    )
    .action(async (options: WatchCommand) => {
      end(await withOpenDatabase(options, context, (open) => watch(open, options, context)));
    });
}

interface WatchCommand extends DatabaseOptions {
  readonly interval: number;
  readonly ticks?: number;
}

/** What was counted at one time. */
export interface Tick extends StoreStats {
  readonly at: number;
  /** Since the tick before; `null` in the first one. Pruning makes them negative. */
  readonly perSecond: { readonly records: number; readonly completed: number } | null;
  readonly jobs: { readonly waiting: number; readonly running: number; readonly dead: number };
}

async function watch(
  database: OpenDatabase,
  { interval, ticks = Infinity, json }: WatchCommand,
  { stdout, now, signal }: CliContext,
): Promise<ExitCode> {
  let last: Tick | undefined;
  let shownLines = 0;
  for (let count = 1; ; count++) {
    const startedAt = now();
    const tick = await takeTick(database, last, startedAt);
    last = tick;
    if (json) {
      stdout.write(jsonLine(tick));
    } else {
      const page = pageOf(tick);
      // Over the last one, where a person watches; below it in a file.
      stdout.write(stdout.isTTY && shownLines > 0 ? `\u001b[${shownLines}A\u001b[J${page}` : page);
      shownLines = page.split('\n').length - 1;
    }
    if (count >= ticks || signal.aborted) return exitCode.ok;
    const tookMs = now() - startedAt;
    const waited = delay(Math.max(interval - tookMs, 4 * tookMs), undefined, { signal });
    if (
      (await waited.then(
        () => 'waited',
        () => 'interrupted',
      )) === 'interrupted'
    ) {
      return exitCode.ok;
    }
  }
}

async function takeTick(
  { store, jobs }: OpenDatabase,
  last: Tick | undefined,
  at: number,
): Promise<Tick> {
  const stats = await store.stats();
  const counts = await jobs.counts();
  const jobsIn = (state: string) =>
    counts.filter((each) => each.state === state).reduce((sum, each) => sum + each.jobs, 0);
  return {
    at,
    ...stats,
    perSecond: last === undefined ? null : changeOf(stats, last, (at - last.at) / 1_000),
    jobs: { waiting: jobsIn('waiting'), running: jobsIn('running'), dead: jobsIn('dead') },
  };
}

function changeOf(now: StoreStats, before: StoreStats, seconds: number) {
  const rate = (difference: number) =>
    Math.round((difference / Math.max(seconds, 0.001)) * 10) / 10;
  return {
    records: rate(sumOf(now) - sumOf(before)),
    completed: rate(now.records.completed - before.records.completed),
  };
}

function sumOf({ records }: StoreStats): number {
  return Object.values(records).reduce((sum, count) => sum + count, 0);
}

function pageOf({ at, records, staleLeases, perSecond, jobs }: Tick): string {
  const change = (rate: number | undefined) =>
    rate === undefined ? '' : `${rate > 0 ? '+' : ''}${rate}/s`;
  const rows = [
    ['in progress', records['in-progress'], ''],
    ['  lease ran out', staleLeases, ''],
    ['released', records.released, ''],
    ['completed', records.completed, change(perSecond?.completed)],
    ['unknown', records.unknown, ''],
    ['all records', sumOf({ records, staleLeases }), change(perSecond?.records)],
    ['jobs waiting', jobs.waiting, ''],
    ['jobs running', jobs.running, ''],
    ['jobs dead', jobs.dead, ''],
  ] as const;
  return formatTable(
    [
      { title: formatTime(at) },
      { title: 'COUNT', align: 'right' },
      { title: 'CHANGE', align: 'right' },
    ],
    rows.map(([title, count, rate]) => [title, String(count), rate]),
  );
}
