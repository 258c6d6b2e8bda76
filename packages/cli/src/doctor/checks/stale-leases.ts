import { formatDuration } from '../../duration.ts';
import { examined } from '../finding.ts';
import type { PostgresCheck } from '../postgres-check.ts';

/** Whether leases that ran out are swept. */
export const staleLeases: PostgresCheck = {
  name: 'stale-leases',
  needs: 'tables',
  async examine({ database: { operator }, options: { patienceMs } }) {
    const { count, oldestMs } = (await operator.neglected()).staleLeases;
    if (count === 0 || oldestMs < patienceMs) return examined(`${count}`);
    return examined(`${count}`, {
      severity: 'warning',
      what: `${count} leases ran out and were not swept, the oldest ${formatDuration(oldestMs)} ago.`,
      why: 'Their processes died. Until they are swept, nobody sees which of them became unknown.',
      do: 'Run `onceward sweep`, and createMaintenance() in a server or cron from then on.',
    });
  },
};
