import type { Framework } from './bench-requests.ts';
import { startBenchServer } from './bench-server.ts';
import type { Findings } from './findings.ts';
import { interleave, type InterleaveOptions } from './interleave.ts';
import { overheadOf } from './overhead.ts';
import type { Spread } from './spread.ts';

/** What the kit adds to a framework, as a share of what the framework takes without it. */
export async function measureFramework(
  framework: Framework,
  options: InterleaveOptions,
): Promise<Findings> {
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
    figures: {
      [`${framework}.keyed_overhead`]: overheadOf(samples.keyed, samples.plain),
      [`${framework}.keyed_overhead.in_process`]: overheadOf(
        samples.keyedInProcess,
        samples.plainInProcess,
      ),
      [`${framework}.replayed_overhead`]: overheadOf(samples.replayed, samples.plain),
      [`${framework}.${query}`]: overheadOf(samples.query, samples.plainQuery),
      ...(framework === 'yoga' ? await measureBare(options) : {}),
    },
  };
}

/** How much of it any plugin like ours would cost. */
async function measureBare(options: InterleaveOptions): Promise<Record<string, Spread>> {
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
