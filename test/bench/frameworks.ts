import type { Framework } from './bench-requests.ts';
import { startBenchServer } from './bench-server.ts';
import type { Findings } from './findings.ts';
import { interleave, type InterleaveOptions, type Samples } from './interleave.ts';
import { overheadOf } from './overhead.ts';
import type { Spread } from './spread.ts';

export interface FrameworkOptions extends InterleaveOptions {
  /**
   * How often all processes are started anew. Two processes of the same program differ by up to a
   * sixth for as long as they live, by where memory and compiled code happen to be.
   */
  readonly generations: number;
}

/** What the kit adds to a framework, as a share of what the framework takes without it. */
export async function measureFramework(
  framework: Framework,
  { generations, onRound, ...options }: FrameworkOptions,
): Promise<Findings> {
  const measured: Samples<Contender>[] = [];
  for (let generation = 0; generation < generations; generation++) {
    const before = generation * options.rounds;
    const all = generations * options.rounds;
    const progress = (done: number) => onRound?.(before + done, all);
    measured.push(await measureGeneration(framework, { ...options, onRound: progress }));
  }
  const overhead = (name: Contender, base: Contender) =>
    overheadOf(
      measured.flatMap((samples) => samples[name]),
      measured.flatMap((samples) => samples[base]),
    );
  const query = framework === 'yoga' ? 'unkeyed_query_overhead' : 'query_overhead';
  return {
    figures: {
      [`${framework}.keyed_overhead`]: overhead('keyed', 'plain'),
      [`${framework}.keyed_overhead.in_process`]: overhead('keyedInProcess', 'plainInProcess'),
      [`${framework}.replayed_overhead`]: overhead('replayed', 'plain'),
      [`${framework}.${query}`]: overhead('query', 'plainQuery'),
      ...(framework === 'yoga' ? await measureBare(options) : {}),
    },
  };
}

type Contender =
  'plain' | 'keyed' | 'replayed' | 'plainQuery' | 'query' | 'plainInProcess' | 'keyedInProcess';

async function measureGeneration(
  framework: Framework,
  options: InterleaveOptions,
): Promise<Samples<Contender>> {
  using plain = await startBenchServer({ framework, protection: 'none' });
  using guarded = await startBenchServer({ framework, protection: 'onceward' });
  return await interleave(
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
    { ...options, rounds: 3 * options.rounds },
  );
  return {
    'yoga.bare_overhead': overheadOf(samples.bare, samples.plain),
    'yoga.bare_overhead.in_process': overheadOf(samples.bareInProcess, samples.plainInProcess),
  };
}
