import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { printFailure, printReport, Progress, Totals } from './report.ts';
import { simulate } from './simulate.ts';
import type { SeedReport, SeedRequest } from './simulation-process.ts';

process.exitCode = (await main(process.argv.slice(2))) ? 0 : 1;

async function main(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seeds: { type: 'string', default: '200' },
      mutations: { type: 'string', default: '100000' },
      'first-seed': { type: 'string' },
      seed: { type: 'string' },
      'clocks-ahead': { type: 'string' },
      processes: { type: 'string', default: String(Math.min(availableParallelism(), 8)) },
    },
  });
  const ahead = values['clocks-ahead'];
  const clocksAheadMs = ahead?.split(',').map((ms) => positive('--clocks-ahead', ms));
  if (values.seed !== undefined) {
    const mutations = positive('--mutations', values.mutations);
    return repeatOne({ seed: Number(values.seed), mutations, clocksAheadMs });
  }
  const seeds = positive('--seeds', values.seeds);
  const mutations = Math.ceil(positive('--mutations', values.mutations) / seeds);
  // Fresh ones each time: what the last run has passed says little.
  const first = Number(values['first-seed'] ?? Math.floor(Math.random() * 1_000_000_000));
  const requests = Array.from({ length: seeds }, (_, at) => {
    return { seed: first + at, mutations, clocksAheadMs };
  });
  const startedAt = performance.now();
  const totals = new Totals();
  const progress = new Progress(seeds);
  await spread(requests, positive('--processes', values.processes), (report) => {
    totals.add(report);
    if (report.violations.length > 0) printFailure(report, clocksAheadMs);
    progress.draw(totals);
  });
  printReport(totals, { seconds: (performance.now() - startedAt) / 1_000, first });
  return totals.violations === 0;
}

/** One seed, with everything that happened. */
async function repeatOne(request: SeedRequest): Promise<boolean> {
  const report = await simulate(request);
  for (const line of report.history) console.log(line);
  console.log(`\nhistory ${report.digest}, ${report.violations.length} rules broken`);
  for (const violation of report.violations) console.log(`  ${violation}`);
  return report.violations.length === 0;
}

/** Hands seeds to some processes, one at a time each. */
async function spread(
  requests: readonly SeedRequest[],
  processes: number,
  onReport: (report: SeedReport) => void,
): Promise<void> {
  const waiting = [...requests];
  const work = () =>
    new Promise<void>((resolve, reject) => {
      const child = fork(join(import.meta.dirname, 'simulation-process.js'), {
        // What a world makes is mostly gone a moment later: less often looked through, more of it is.
        execArgv: ['--max-semi-space-size=32'],
      });
      let asked: SeedRequest | undefined;
      const next = () => {
        asked = waiting.shift();
        if (asked) child.send(asked);
        else child.disconnect();
      };
      child.on('message', (report) => {
        onReport(report as SeedReport);
        next();
      });
      child.on('exit', (code) => {
        if (!asked) return resolve();
        reject(new Error(`Seed ${asked.seed} ended its process with ${code}`));
      });
      next();
    });
  await Promise.all(Array.from({ length: processes }, work));
}

function positive(option: string, text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new TypeError(`Expected ${option} to be a whole number`);
}
