import type { ChaosReport } from './chaos.ts';
import type { Counts } from './server-tools.ts';

/** What happened at one of the named places where everything may break. */
export interface FailpointTally {
  readonly name: string;
  /** How often somebody came there. */
  readonly passed: number;
  /** How often somebody died there, or the line broke. */
  readonly broken: number;
}

/** All of them, in the order in which an intent comes by. */
export function tallyFailpoints(report: ChaosReport): FailpointTally[] {
  return Object.entries(failpoints).map(([name, { passed, broken }]) => ({
    name,
    passed: passed === 'requests' ? report.requests : (report.counts[passed] ?? 0),
    broken: Object.entries(report.faults)
      .filter(([fault]) => broken.test(fault))
      .reduce((sum, [, times]) => sum + times, 0),
  }));
}

interface Failpoint {
  /** What is counted when somebody comes there. */
  readonly passed: keyof Counts | 'requests';
  /** The faults that happen there. */
  readonly broken: RegExp;
}

/** Under the names of the list that chaos is judged by. */
const failpoints: Readonly<Record<string, Failpoint>> = {
  'before-auth': killedAt('before-auth'),
  'before-reserve': killedAt('before-reserve'),
  'reserve-applied-no-ack': unanswered('reserve'),
  'after-reserve-before-begin': killedAt('after-reserve'),
  'after-begin': killedAt('before-execute'),
  'after-effect-before-complete': killedAt('after-execute', 'before-complete'),
  'complete-applied-no-ack': unanswered('complete'),
  'commit-sent': unanswered('commit'),
  'after-commit-before-response': killedAt('after-complete'),
  'response-half-sent': {
    passed: 'requests',
    broken: /^entrance: answer-is-(truncated|cut-short)$/,
  },
  'heartbeat-skip': {
    passed: 'before-renew',
    broken: /^server: (a lease is not renewed|killed before-renew)$/,
  },
  'sweeper-mid-batch': {
    passed: 'sweeper-mid-batch',
    broken: /^server: killed sweeper-mid-batch$|in the middle of a sweep$/,
  },
  'pruner-between-select-and-delete': {
    passed: 'before-prune',
    broken: /^database: connection ended between select and delete$/,
  },
  'reconciler-before-write': killedAt('reconciler-before-write'),
  'journal-before-persist': diedAt('journal-before-persist'),
  'journal-torn-write': diedAt('journal-torn-write'),
  'send-half': { passed: 'requests', broken: /^entrance: is-cut-(in-half|short)$/ },
  'response-before-settle': diedAt('response-before-settle'),
  'settle-before-ack': diedAt('settle-before-ack'),
  'ack-before-remove': diedAt('ack-before-remove'),
};

/** A server is, at one of these points. */
function killedAt(passed: keyof Counts, ...others: readonly string[]): Failpoint {
  const points = [passed, ...others].join('|');
  return { passed, broken: new RegExp(`^server: killed (${points})$`) };
}

/** The database has it, and the server does not hear so. */
function unanswered(statement: 'reserve' | 'complete' | 'commit'): Failpoint {
  const fates = 'is-not-answered|is-cut-off|answer-is-truncated';
  return {
    passed: `${statement}-sent`,
    broken: new RegExp(`^database line: (${fates}), ${statement}$`),
  };
}

/** A device does. */
function diedAt(point: keyof Counts): Failpoint {
  return { passed: point, broken: new RegExp(`^device: killed ${point}$`) };
}
