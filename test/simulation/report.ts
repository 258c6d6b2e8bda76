import { faultRates } from './faults.ts';
import type { SeedReport } from './simulation-process.ts';
import { answers, transitions } from './transitions.ts';

/** Sums of many seeds. */
export class Totals {
  seeds = 0;
  mutations = 0;
  effects = 0;
  answers = 0;
  faults = 0;
  violations = 0;
  readonly faultsByKind = new Map<string, number>(Object.keys(faultRates).map((kind) => [kind, 0]));
  readonly seen = new Map<string, number>(
    [...transitions.values(), ...answers.values(), ...others].map((name) => [name, 0]),
  );

  add(report: SeedReport): void {
    this.seeds++;
    this.mutations += report.mutations;
    this.effects += report.effects;
    this.answers += report.answers;
    this.violations += report.violations.length;
    for (const [kind, count] of Object.entries(report.faults)) {
      this.faults += count;
      add(this.faultsByKind, kind, count);
    }
    for (const [what, count] of Object.entries(report.seen)) add(this.seen, what, count);
  }

  /** What a run is to show at least once, and this one did not. */
  unseen(): string[] {
    return [...this.faultsByKind, ...this.seen].filter(([, count]) => !count).map(([what]) => what);
  }
}

/** What is not the change of a single record. */
const others = ['T6 swept to unknown', 'T17 answers dropped', 'T18 records pruned'];

/** A line that moves; where nothing can move, one for each tenth. */
export class Progress {
  readonly #seeds: number;

  constructor(seeds: number) {
    this.#seeds = seeds;
  }

  draw({ seeds, mutations, faults, violations }: Totals): void {
    const line = `${seeds} of ${this.#seeds} seeds, ${mutations} mutations, ${faults} faults, ${violations} rules broken`;
    if (process.stdout.isTTY) process.stdout.write(`\r${line}`);
    else if (seeds % Math.ceil(this.#seeds / 10) === 0) console.log(line);
  }
}

/** What is needed to see it again, and how it came about. */
export function printFailure(report: SeedReport, clocksAheadMs?: readonly number[]): void {
  const { seed, mutations, violations, history } = report;
  console.log(`\nSeed ${seed} breaks ${violations.length} rules:`);
  for (const violation of violations.slice(0, 10)) console.log(`  ${violation}`);
  const [id] = violations[0]?.match(/\w+-\d+/) ?? [];
  const about = id ? history.filter((line) => line.split(/[\s:]/).includes(id)) : [];
  for (const line of about.slice(0, 40)) console.log(`    ${line}`);
  const ahead = clocksAheadMs ? ` --clocks-ahead ${clocksAheadMs.join(',')}` : '';
  console.log(`Repeat it: npm run simulate -- --seed ${seed} --mutations ${mutations}${ahead}\n`);
}

export function printReport(
  totals: Totals,
  { seconds, first }: { seconds: number; first: number },
): void {
  const { seeds, mutations, effects, answers: answered, faults, violations } = totals;
  console.log(`\n\n${section('faults', totals.faultsByKind)}\n`);
  console.log(`${section('what happened', totals.seen)}\n`);
  for (const what of totals.unseen()) console.log(`never: ${what}`);
  console.log(
    [
      `${mutations} mutations, ${effects} effects, ${answered} answers, ${faults} faults`,
      `${seeds} seeds from ${first} on, in ${seconds.toFixed(1)} s`,
      violations === 0
        ? `0 of ${mutations} taken twice, lost, answered unequally, leaked or stuck, so under ${bound(mutations)}`
        : `${violations} rules broken`,
    ].join('\n'),
  );
}

/** The rule of three: what was not seen in n trials is rarer than 3/n, at 95 %. */
function bound(trials: number): string {
  return `3/${trials} = ${(3 / trials).toExponential(0)}`;
}

function section(title: string, counts: ReadonlyMap<string, number>): string {
  const rows = [...counts].sort(([one], [other]) =>
    one.localeCompare(other, 'en', { numeric: true }),
  );
  return [title, ...rows.map(([what, count]) => `${String(count).padStart(9)}  ${what}`)].join(
    '\n',
  );
}

function add(counts: Map<string, number>, what: string, count: number): void {
  counts.set(what, (counts.get(what) ?? 0) + count);
}
