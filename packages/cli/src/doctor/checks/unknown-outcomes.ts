import { formatDuration } from '../../duration.ts';
import { examined } from '../finding.ts';
import type { PostgresCheck } from '../postgres-check.ts';

/** Whether somebody settles what became unknown. */
export const unknownOutcomes: PostgresCheck = {
  name: 'unknown-outcomes',
  needs: 'tables',
  async examine({ database: { operator }, options: { patienceMs } }) {
    const { count, oldestMs } = (await operator.neglected()).unknown;
    if (count === 0 || oldestMs < patienceMs) return examined(`${count}`);
    return examined(`${count}`, {
      severity: 'warning',
      what: `${count} outcomes are unknown, the oldest for ${formatDuration(oldestMs)}.`,
      why: 'Somebody waits to hear whether it happened, and every retry is told that nobody knows. They are never pruned.',
      do: 'See `onceward keys --state unknown`, find out, and `onceward settle` each; or let a reconciler do it.',
    });
  },
};
