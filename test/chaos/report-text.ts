import type { Breaches } from './books.ts';
import type { ChaosReport } from './chaos.ts';
import { tallyFailpoints } from './failpoint-tally.ts';
import { type Transition, transitions } from './transitions.ts';

/** What must be zero, in words. */
const breaches: Readonly<Record<keyof Breaches, string>> = {
  duplicates: 'intents that took effect twice',
  lostAcknowledgements: 'acknowledged intents that took no effect',
  lostIntents: 'intents that a device had written down, and never settled',
  unequalReplays: 'intents with two different answers',
  otherInputs: 'other inputs under a used key that were answered',
  refusedEffects: 'intents that were refused, and took effect',
  crossTenant: 'answers that were another tenant’s',
  oldCookies: 'replays that set the cookie of the first answer',
  stuck: 'intents that were still open when everything had healed',
  unclaimedEffects: 'effects that nobody asked for',
  crashes: 'servers that ended, and nobody had killed them',
};

export function isClean(report: Breaches): boolean {
  return Object.keys(breaches).every((breach) => report[breach as keyof Breaches] === 0);
}

export function faultsOf({ faults }: ChaosReport): number {
  return Object.values(faults).reduce((sum, count) => sum + count, 0);
}

export function reportText(report: ChaosReport): string {
  const { counts, onDevices, unpromised } = report;
  return [
    row(report.intents, 'intents'),
    row(report.acknowledged, 'acknowledged during the chaos'),
    row(report.refused, 'refused for good: keys of the future, or too old'),
    row(report.requests, 'requests during the chaos'),
    row(report.effects, 'effects'),
    row(faultsOf(report), 'faults'),
    '',
    ...Object.entries(breaches).map(([breach, words]) => {
      const count = report[breach as keyof Breaches];
      return row(
        count,
        count === 0 ? `${words}: ${bound(report.tried[breach as keyof Breaches])}` : words,
      );
    }),
    ...report.breached.slice(0, 20).map((words) => `          ${words}`),
    '',
    'Of the intents, those of devices that were killed and went on with their journals',
    row(onDevices.intents, 'submitted'),
    row(onDevices.persisted, 'written down, for certain'),
    row(onDevices.refused, 'settled as refused'),
    '',
    'Not promised: on Redis without waiting for a replica',
    row(unpromised.duplicates, `of ${unpromised.intents} intents took effect twice`),
    ...report.leftOut.map((reason) => `Left out: ${reason}`),
    '',
    'Faults',
    ...rows(report.faults),
    '',
    'Failpoints: somebody came there at least so often, and died there, or the line broke',
    ...tallyFailpoints(report).map(({ name, passed, broken }) =>
      row(passed, `${name.padEnd(32)}  ${broken} died or broke there`),
    ),
    '',
    'Transitions: this happened at least so often',
    ...Object.entries(transitions).map(([name, words]) =>
      row(counts[name as Transition] ?? 0, words),
    ),
    '',
    'Answers',
    ...rows(report.statuses, (status) => (status === '0' ? 'no answer' : `answers with ${status}`)),
    '',
    notReached(report),
  ].join('\n');
}

/** The transitions that did not happen. */
export function unmade({ counts }: ChaosReport): string[] {
  return Object.entries(transitions)
    .filter(([transition]) => !counts[transition as Transition])
    .map(([, words]) => words.trim().replace(/ +/g, ' '));
}

/** What chaos is there for and did not bring about: of that, this run shows nothing. */
export function unreached(report: ChaosReport): string[] {
  const whole = tallyFailpoints(report).filter(({ passed, broken }) => passed * broken === 0);
  return [...unmade(report), ...whole.map(({ name }) => name)];
}

function notReached(report: ChaosReport): string {
  const names = unreached(report);
  return names.length > 0
    ? `Not reached in this run: ${names.join('; ')}`
    : 'Every transition and every failpoint was reached in this run.';
}

/** The rule of three: what did not happen in N tries happens in fewer than 3/N, most likely. */
function bound(tries: number): string {
  if (tries === 0) return 'nobody tried';
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
