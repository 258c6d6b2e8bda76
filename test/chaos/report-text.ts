import type { Breaches } from './books.ts';
import type { ChaosReport } from './chaos.ts';

/** What must be zero, in words. */
const breaches: Readonly<Record<keyof Breaches, string>> = {
  duplicates: 'intents that took effect twice',
  lostAcknowledgements: 'acknowledged intents that took no effect',
  unequalReplays: 'intents with two different answers',
  crossTenant: 'answers that were another tenant’s',
  stuck: 'intents that were still open when everything had healed',
};

export function isClean(report: Breaches): boolean {
  return Object.keys(breaches).every((breach) => report[breach as keyof Breaches] === 0);
}

export function reportText(report: ChaosReport): string {
  const faults = Object.values(report.faults).reduce((sum, count) => sum + count, 0);
  return [
    ...[row(report.intents, 'intents'), row(report.acknowledged, 'acknowledged during the chaos')],
    ...[row(report.requests, 'requests'), row(report.effects, 'effects'), row(faults, 'faults')],
    '',
    ...Object.entries(breaches).map(([breach, words]) => {
      const count = report[breach as keyof Breaches];
      return row(count, count === 0 ? `${words}: ${bound(report.intents)}` : words);
    }),
    '',
    ...rows(report.faults),
    '',
    ...rows(report.points, (point) => `came to ${point}`),
    '',
    ...rows(report.statuses, (status) => (status === '0' ? 'no answer' : `answers with ${status}`)),
  ].join('\n');
}

/** The rule of three: what did not happen in N tries happens in fewer than 3/N, most likely. */
function bound(tries: number): string {
  return `0 of ${tries}, so under ${(3 / tries).toExponential(1)}`;
}

function rows(
  counts: Readonly<Record<string, number>>,
  words: (name: string) => string = (name) => name,
): string[] {
  return Object.entries(counts)
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([name, count]) => row(count, words(name)));
}

function row(count: number, words: string): string {
  return `${String(count).padStart(8)}  ${words}`;
}
