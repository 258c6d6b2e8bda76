// Measures what the kit costs: on a server as shares of what the frameworks cost without it.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Framework } from './bench-requests.ts';
import { startBenchServer } from './bench-server.ts';
import { interleave } from './interleave.ts';
import { measureJournal } from './journal.ts';
import { overheadOf } from './overhead.ts';
import { printNumbers, printOverheads } from './print-figures.ts';
import type { Spread } from './spread.ts';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
    only: { type: 'string' },
  },
});
const parts = ['yoga', 'trpc', 'journal'] as const;
if (values.only !== undefined && !parts.some((part) => part === values.only)) {
  throw new TypeError(`Expected --only to be one of ${parts.join(', ')}`);
}
const options = values.quick ? { rounds: 9, sliceMs: 100 } : { rounds: 25, sliceMs: 300 };

const overheads = { ...(await measure('yoga')), ...(await measure('trpc')) };
if (Object.keys(overheads).length > 0) printOverheads(overheads);
const numbers = isWanted('journal') ? await measureJournal(options) : {};
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
  using plain = await startBenchServer({ framework, guarded: false });
  using guarded = await startBenchServer({ framework, guarded: true });
  const samples = await interleave(
    {
      plain: plain.inProcess('unkeyed'),
      keyed: guarded.inProcess('keyed'),
      replayed: guarded.inProcess('replayed'),
      plainQuery: plain.inProcess('query'),
      query: guarded.inProcess('query'),
      plainOverHttp: plain.overHttp('unkeyed'),
      keyedOverHttp: guarded.overHttp('keyed'),
    },
    options,
  );
  const query = framework === 'yoga' ? 'unkeyed_query_overhead' : 'query_overhead';
  return {
    [`${framework}.keyed_overhead`]: overheadOf(samples.keyed, samples.plain),
    [`${framework}.keyed_overhead.over_http`]: overheadOf(
      samples.keyedOverHttp,
      samples.plainOverHttp,
    ),
    [`${framework}.replayed_overhead`]: overheadOf(samples.replayed, samples.plain),
    [`${framework}.${query}`]: overheadOf(samples.query, samples.plainQuery),
  };
}
