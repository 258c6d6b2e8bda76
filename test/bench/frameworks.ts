import type { Protection } from './bench-app.ts';
import type { CallKind } from './bench-calls.ts';
import type { Framework } from './bench-requests.ts';
import { type BenchServer, startBenchServer } from './bench-server.ts';
import type { Side } from './bench-server-process.ts';
import type { Findings } from './findings.ts';
import { interleave, type InterleaveOptions, type Samples } from './interleave.ts';
import { overheadIn } from './overhead.ts';
import { keepOnCore } from './own-core.ts';
import type { Spread } from './spread.ts';

export interface FrameworkOptions extends InterleaveOptions {
  /**
   * How often both processes are started anew. Two processes of the same program differ by up to a
   * sixth for as long as they live, by where memory and compiled code happen to be.
   */
  readonly generations: number;
}

/** What the kit adds to a framework, as a share of what the framework takes without it. */
export async function measureFramework(
  framework: Framework,
  options: FrameworkOptions,
): Promise<Findings> {
  const comparisons = Object.entries(comparisonsOf(framework)).map(([name, comparison]) => {
    // Generations differ by more than a goal can bear, so what has one gets most of them.
    const share = name === 'keyed_overhead' ? 1 : 1 / 6;
    return { name, comparison, generations: Math.ceil(options.generations * share) };
  });
  const roundsIn = (some: typeof comparisons) =>
    some.reduce((sum, { generations }) => sum + generations * options.rounds, 0);
  const figures: Record<string, Spread> = {};
  for (const [index, { name, comparison, generations }] of comparisons.entries()) {
    const before = roundsIn(comparisons.slice(0, index));
    figures[`${framework}.${name}`] = await measure(framework, comparison, {
      ...options,
      generations,
      onRound: (done) => options.onRound?.(before + done, roundsIn(comparisons)),
    });
  }
  return { figures };
}

interface Comparison {
  readonly kind: CallKind;
  /** What is sent without the kit, where it is not the same: a first delivery for a replay. */
  readonly plainKind?: CallKind;
  readonly protection: Exclude<Protection, 'none'>;
  readonly through: 'overHttp' | 'inProcess';
}

function comparisonsOf(framework: Framework): Record<string, Comparison> {
  const kit = { protection: 'onceward', through: 'overHttp' } as const;
  const keyed = { ...kit, kind: 'keyed' } as const;
  const bare = { ...keyed, protection: 'bare' } as const;
  const inProcess = { through: 'inProcess' } as const;
  const query = framework === 'yoga' ? 'unkeyed_query_overhead' : 'query_overhead';
  return {
    keyed_overhead: keyed,
    'keyed_overhead.in_process': { ...keyed, ...inProcess },
    replayed_overhead: { ...kit, kind: 'replayed', plainKind: 'keyed' },
    [query]: { ...kit, kind: 'query' },
    // How much of it any plugin like ours would cost.
    ...(framework === 'yoga'
      ? { bare_overhead: bare, 'bare_overhead.in_process': { ...bare, ...inProcess } }
      : {}),
  };
}

async function measure(
  framework: Framework,
  comparison: Comparison,
  { generations, onRound, ...options }: FrameworkOptions,
): Promise<Spread> {
  // The servers, of which one works at a time, are on the other one.
  using _core = keepOnCore(0);
  const measured: Samples<'plain' | 'guarded'>[] = [];
  for (let generation = 0; generation < generations; generation++) {
    const before = generation * options.rounds;
    const all = generations * options.rounds;
    const progress = (done: number) => onRound?.(before + done, all);
    measured.push(await measureOnce(framework, comparison, { ...options, onRound: progress }));
  }
  return overheadIn(measured, 'guarded', 'plain');
}

/**
 * With two new processes, which do nothing else: what was compiled for another kind of request, or
 * had to make room for it, is none of this one's business.
 */
async function measureOnce(
  framework: Framework,
  { kind, plainKind = kind, protection, through }: Comparison,
  options: InterleaveOptions,
): Promise<Samples<'plain' | 'guarded'>> {
  using plain: BenchServer = await startBenchServer({ framework, protection: 'none' });
  using guarded: BenchServer = await startBenchServer({ framework, protection } as Side);
  return await interleave(
    { plain: plain[through](plainKind), guarded: guarded[through](kind) },
    options,
  );
}
