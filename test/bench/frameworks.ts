import type { Framework } from './bench-requests.ts';
import { startBenchServer } from './bench-server.ts';
import type { Findings } from './findings.ts';
import { interleave, type InterleaveOptions, type Samples } from './interleave.ts';
import { overheadIn } from './overhead.ts';
import { keepOnCore } from './own-core.ts';
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
  options: FrameworkOptions,
): Promise<Findings> {
  const measured = await inGenerations(options, (each) => measureGuarded(framework, each));
  const query = framework === 'yoga' ? 'unkeyed_query_overhead' : 'query_overhead';
  return {
    figures: {
      [`${framework}.keyed_overhead`]: overheadIn(measured, 'keyed', 'plain'),
      [`${framework}.keyed_overhead.in_process`]: overheadIn(
        measured,
        'keyedInProcess',
        'plainInProcess',
      ),
      [`${framework}.replayed_overhead`]: overheadIn(measured, 'replayed', 'plain'),
      [`${framework}.${query}`]: overheadIn(measured, 'query', 'plainQuery'),
      ...(framework === 'yoga' ? await measureBare(options) : {}),
    },
  };
}

/** How much of it any plugin like ours would cost. */
async function measureBare(options: FrameworkOptions): Promise<Record<string, Spread>> {
  const measured = await inGenerations(options, async (each) => {
    using plain = await startBenchServer({ framework: 'yoga', protection: 'none' });
    using bare = await startBenchServer({ framework: 'yoga', protection: 'bare' });
    return await interleave(
      {
        plain: plain.overHttp('unkeyed'),
        bare: bare.overHttp('keyed'),
        plainInProcess: plain.inProcess('unkeyed'),
        bareInProcess: bare.inProcess('keyed'),
      },
      each,
    );
  });
  return {
    'yoga.bare_overhead': overheadIn(measured, 'bare', 'plain'),
    'yoga.bare_overhead.in_process': overheadIn(measured, 'bareInProcess', 'plainInProcess'),
  };
}

async function measureGuarded(framework: Framework, options: InterleaveOptions) {
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

async function inGenerations<Name extends string>(
  { generations, onRound, ...options }: FrameworkOptions,
  measure: (options: InterleaveOptions) => Promise<Samples<Name>>,
): Promise<Samples<Name>[]> {
  // The servers, of which one works at a time, are on the other one.
  using _core = keepOnCore(0);
  const measured: Samples<Name>[] = [];
  for (let generation = 0; generation < generations; generation++) {
    const before = generation * options.rounds;
    const all = generations * options.rounds;
    const progress = (done: number) => onRound?.(before + done, all);
    measured.push(await measure({ ...options, onRound: progress }));
  }
  return measured;
}
