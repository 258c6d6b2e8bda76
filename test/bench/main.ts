// Measures what the kit costs: on a server as shares of what the frameworks cost without it.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Framework } from './bench-requests.ts';
import { startBenchServer } from './bench-server.ts';
import { interleave } from './interleave.ts';
import { measureJournal } from './journal.ts';
import { overheadOf } from './overhead.ts';
import { printNumbers, printOverheads } from './print-figures.ts';
import { measurePostgres } from './postgres.ts';
import { measureRetention } from './retention.ts';
import type { Spread } from './spread.ts';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
    only: { type: 'string' },
  },
});
const parts = ['yoga', 'trpc', 'journal', 'pg', 'retention'] as const;
if (values.only !== undefined && !parts.some((part) => part === values.only)) {
  throw new TypeError(`Expected --only to be one of ${parts.join(', ')}`);
}
const options = values.quick ? { rounds: 9, sliceMs: 100 } : { rounds: 25, sliceMs: 300 };

const pgOptions = values.quick ? { rounds: 3, sliceMs: 200 } : { rounds: 7, sliceMs: 600 };

const overheads = { ...(await measure('yoga')), ...(await measure('trpc')) };
if (Object.keys(overheads).length > 0) printOverheads(overheads);
const numbers = {
  ...(isWanted('journal') ? await measureJournal(options) : {}),
  ...(isWanted('pg') ? await measurePostgres(pgOptions) : {}),
  ...(isWanted('retention')
    ? await measureRetention({ keys: values.quick ? 100_000 : 1_000_000 })
    : {}),
};
if (Object.keys(numbers).length > 0) printNumbers(numbers);
if (values.json) {
  const ratios = Object.fromEntries(
    Object.entries({ ...overheads, ...numbers }).map(([name, { median }]) => [name, median]),
  );
  writeFileSync(values.json, `${JSON.stringify({ ratios }, undefined, 2)}\n`);
}

function isWanted(part: (typeof parts)[number]): boolean {
  return values.only === undefined || values.only === part;
}

async function measure(framework: Framework): Promise<Record<string, Spread>> {
  if (!isWanted(framework)) return {};
  using plain = await startBenchServer({ framework, protection: 'none' });
  using guarded = await startBenchServer({ framework, protection: 'onceward' });
  const samples = await interleave(
    {
      plain: plain.overHttp('unkeyed'),
      keyed: guarded.overHttp('keyed'),
      replayed: guarded.overHttp('replayed'),
      plainQuery: plain.overHttp('query'),
      query: guarded.overHttp('query'),
      plainInProcess: plain.inProcess('unkeyed'),
      keyedInProcess: guarded.inProcess('keyed'),
    },
    options,
  );
  const query = framework === 'yoga' ? 'unkeyed_query_overhead' : 'query_overhead';
  return {
    [`${framework}.keyed_overhead`]: overheadOf(samples.keyed, samples.plain),
    [`${framework}.keyed_overhead.in_process`]: overheadOf(
      samples.keyedInProcess,
      samples.plainInProcess,
    ),
    [`${framework}.replayed_overhead`]: overheadOf(samples.replayed, samples.plain),
    [`${framework}.${query}`]: overheadOf(samples.query, samples.plainQuery),
    ...(framework === 'yoga' ? await measureBare() : {}),
  };
}

/** How much of it any plugin like ours would cost. */
async function measureBare(): Promise<Record<string, Spread>> {
  using plain = await startBenchServer({ framework: 'yoga', protection: 'none' });
  using bare = await startBenchServer({ framework: 'yoga', protection: 'bare' });
  const samples = await interleave(
    {
      plain: plain.overHttp('unkeyed'),
      bare: bare.overHttp('keyed'),
      plainInProcess: plain.inProcess('unkeyed'),
      bareInProcess: bare.inProcess('keyed'),
    },
    options,
  );
  return {
    'yoga.bare_overhead': overheadOf(samples.bare, samples.plain),
    'yoga.bare_overhead.in_process': overheadOf(samples.bareInProcess, samples.plainInProcess),
  };
}
