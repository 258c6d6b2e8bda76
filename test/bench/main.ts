// Measures what the kit costs, as shares of what the frameworks cost without it.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Framework } from './bench-requests.ts';
import { startBenchServer } from './bench-server.ts';
import { interleave } from './interleave.ts';
import { type Overhead, overheadOf } from './overhead.ts';
import { printOverheads } from './print-figures.ts';

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, json: { type: 'string' } },
});
const options = values.quick ? { rounds: 9, sliceMs: 100 } : { rounds: 25, sliceMs: 300 };

const overheads = { ...(await measure('yoga')), ...(await measure('trpc')) };
printOverheads(overheads);
if (values.json) {
  const ratios = Object.fromEntries(
    Object.entries(overheads).map(([name, { median }]) => [name, median]),
  );
  writeFileSync(values.json, `${JSON.stringify({ ratios }, undefined, 2)}\n`);
}

async function measure(framework: Framework): Promise<Record<string, Overhead>> {
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
