import { parseArgs } from 'node:util';
import { startPostgres } from '../services/postgres.ts';
import { crashPayments, type CrashReport } from './crash-payments.ts';
import type { Example } from './shop-process.ts';

const examples: readonly Example[] = ['payments-with-keys', 'payments-without-keys'];

/** Crashes the servers of both examples, or of the one that is named, and prints what came of it. */
export async function main(args: readonly string[]): Promise<boolean> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { crashes: { type: 'string', default: '100' }, seed: { type: 'string' } },
    allowPositionals: true,
  });
  const crashes = Number(values.crashes);
  const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
  const chosen = examples.filter((name) => positionals.length === 0 || positionals.includes(name));
  let passed = true;
  for (const example of chosen) {
    await using postgres = await startPostgres();
    const startedAt = performance.now();
    const onCrash = (count: number) => drawProgress(example, count, crashes);
    const report = await crashPayments({
      example,
      crashes,
      databaseUrl: postgres.url,
      seed,
      onCrash,
    });
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
    console.log(`\n\n${textOf(report)}\n${seconds} s, --seed ${seed}\n`);
    passed &&= isClean(report);
  }
  return passed;
}

/** Every order is charged once, and nothing is left open. */
function isClean({ orders, charges, wrongAnswers, unfinished }: CrashReport): boolean {
  return charges[1] === orders && wrongAnswers === 0 && unfinished === 0;
}

function textOf(report: CrashReport): string {
  const total = Object.values(report.crashes).reduce((sum, count) => sum + count, 0);
  return [
    ...Object.entries(report.crashes).map(([site, count]) => row(`killed, ${site}`, count)),
    row('killed in all', total),
    row('orders', report.orders),
    ...Object.entries(report.charges).map(([times, count]) =>
      row(`orders charged ${times === '1' ? 'once' : `${times} times`}`, count),
    ),
    row('orders answered with a wrong charge', report.wrongAnswers),
    ...Object.entries(report.answers).map(([status, count]) =>
      row(status === '0' ? 'requests without an answer' : `answers with ${status}`, count),
    ),
    ...Object.entries(report.settled).map(([action, count]) =>
      row(`by evidence, ${action}`, count),
    ),
    row('records in progress or unknown at the end', report.unfinished),
  ].join('\n');
}

function row(what: string, count: number): string {
  return `${String(count).padStart(7)}  ${what}`;
}

/** A bar that moves; where nothing can move, a line for each tenth. */
function drawProgress(example: string, done: number, total: number): void {
  if (!process.stdout.isTTY) {
    if (done % Math.ceil(total / 10) === 0) console.log(`${example} ${done} of ${total}`);
    return;
  }
  const width = 40;
  const full = Math.min(width, Math.round((done / total) * width));
  const bar = '█'.repeat(full) + '░'.repeat(width - full);
  process.stdout.write(`\r${example} ${bar} ${done} of ${total}`);
}
