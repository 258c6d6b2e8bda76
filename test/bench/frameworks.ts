import type { Framework } from './bench-requests.ts';
import { startBenchServer } from './bench-server.ts';
import type { Findings } from './findings.ts';
import { interleave, type InterleaveOptions, type Samples } from './interleave.ts';
import { overheadOf } from './overhead.ts';

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
      [`${framework}.bare_overhead`]: overhead('bare', 'plain'),
      [`${framework}.bare_overhead.in_process`]: overhead('bareInProcess', 'plainInProcess'),
    },
  };
}

type Contender =
  | ('plain' | 'keyed' | 'replayed' | 'bare')
  | ('plainQuery' | 'query')
  | ('plainInProcess' | 'keyedInProcess' | 'bareInProcess');

async function measureGeneration(
  framework: Framework,
  options: InterleaveOptions,
): Promise<Samples<Contender>> {
  using plain = await startBenchServer({ framework, protection: 'none' });
  using guarded = await startBenchServer({ framework, protection: 'onceward' });
  // How much of it anything like the kit would cost.
  using bare = await startBenchServer({ framework, protection: 'bare' });
  return await interleave(
    {
      plain: plain.overHttp('unkeyed'),
      keyed: guarded.overHttp('keyed'),
      replayed: guarded.overHttp('replayed'),
      bare: bare.overHttp('keyed'),
      plainQuery: plain.overHttp('query'),
      query: guarded.overHttp('query'),
      plainInProcess: plain.inProcess('unkeyed'),
      keyedInProcess: guarded.inProcess('keyed'),
      bareInProcess: bare.inProcess('keyed'),
    },
    options,
  );
}
