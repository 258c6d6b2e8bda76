import type { Framework } from './bench-requests.ts';
import type { Side } from './bench-server-process.ts';
import { type Callgrind, type Fetched, findCallgrind, startCounted } from './callgrind.ts';
import type { Findings } from './findings.ts';
import { type Spread, spreadOf } from './spread.ts';

export interface CachesOptions {
  readonly quick: boolean;
  readonly onRound: (done: number, of: number) => void;
}

/**
 * What a mutation makes a server fetch into its caches, with the kit and without it. Servers wait
 * for their memory most of the time, so this says what a change of the code does to their speed,
 * with far less noise than their speed has.
 */
export async function measureCaches({ quick, onRound }: CachesOptions): Promise<Findings> {
  const programs = findCallgrind();
  if (quick) return missing('it takes minutes');
  if (!programs) return missing('there is no Valgrind on PATH');
  const figures: Record<string, Spread> = {};
  for (const [index, framework] of frameworks.entries()) {
    const plain = await windowsOf({ framework, protection: 'none' }, programs);
    onRound(2 * index + 1, 2 * frameworks.length);
    const guarded = await windowsOf({ framework, protection: 'onceward' }, programs);
    onRound(2 * index + 2, 2 * frameworks.length);
    for (const kind of ['code', 'data'] as const) {
      const before = spreadOf(plain.map((each) => each[kind])).median;
      const shares = guarded.map((each) => each[kind] / before - 1);
      figures[`caches.${framework}.${kind}_lines`] = spreadOf(guarded.map((each) => each[kind]));
      figures[`caches.${framework}.${kind}_overhead`] = spreadOf(shares);
    }
  }
  return { figures };
}

const frameworks: readonly Framework[] = ['yoga', 'trpc'];

async function windowsOf(side: Side, programs: Callgrind): Promise<readonly Fetched[]> {
  using server = await startCounted(side, programs);
  await server.warmUp(12_000);
  const windows: Fetched[] = [];
  // A collection of the whole heap may be in one of them.
  while (windows.length < 5) windows.push(await server.count(400));
  return windows;
}

function missing(reason: string): Findings {
  const names = frameworks.flatMap((framework) =>
    ['code', 'data'].flatMap((kind) =>
      ['lines', 'overhead'].map((what) => `caches.${framework}.${kind}_${what}`),
    ),
  );
  return { figures: {}, missing: Object.fromEntries(names.map((name) => [name, reason])) };
}
