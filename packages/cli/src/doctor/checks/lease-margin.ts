import type { LeaseMargin } from '@onceward/postgres';
import { formatDuration } from '../../duration.ts';
import type { DoctorOptions } from '../doctor-options.ts';
import { examined, type Finding } from '../finding.ts';
import type { PostgresCheck } from '../postgres-check.ts';

/**
 * Whether leases are long enough for how late they were renewed, or how long handlers took, of the
 * last day. A lease is renewed at a third of its time: whoever has used two thirds has missed it.
 */
export const leaseMargin: PostgresCheck = {
  name: 'lease-margin',
  needs: 'tables',
  async examine({ database: { operator }, options }) {
    const { answerRetentionMs } = options;
    const margins = await operator.leaseMargins({ answerRetentionMs, mintedWithinMs: DAY_MS });
    const completed = margins.reduce((sum, each) => sum + each.completed, 0);
    const note = `${completed} completions, lease ${formatDuration(options.leaseMs)}`;
    return examined(note, ...margins.flatMap((margin) => findingOf(margin, options)));
  },
};

function findingOf(margin: LeaseMargin, { leaseMs, answerRetentionMs }: DoctorOptions): Finding[] {
  const { operation, completed, implausible, leftMs } = margin;
  if (leftMs === null || completed === 0) {
    return [
      {
        severity: 'advice',
        what: `The leases of ${operation} cannot be judged: ${implausible} answers expire at another time.`,
        why: `When something was completed is taken from when its answer expires, less ${formatDuration(answerRetentionMs)}.`,
        do: 'Pass --answer-retention as the application has it.',
      },
    ];
  }
  const usedMs = leaseMs - leftMs;
  if (usedMs <= (leaseMs * 2) / 3) return [];
  const isLost = usedMs >= leaseMs;
  return [
    {
      severity: isLost ? 'error' : 'warning',
      what:
        `Of ${operation}, the p99 has used ${formatDuration(usedMs)} of its lease of ` +
        `${formatDuration(leaseMs)} since it was last renewed (${completed} completions).`,
      why: isLost
        ? 'Leases run out under attempts that are alive: others take over, or the outcome becomes unknown.'
        : 'Renewals come late: the event loop is blocked, or the pool has no connection for them. A little more, and leases run out.',
      do: 'Raise leaseMs, or give renewals a way: shorter synchronous work, a larger pool.',
    },
  ];
}

const DAY_MS = 24 * 3_600_000;
