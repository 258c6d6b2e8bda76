import { formatDuration } from '../../duration.ts';
import { examined } from '../finding.ts';
import type { PostgresCheck } from '../postgres-check.ts';

/** Whether partitions are dropped when they are due. */
export const partitionsDue: PostgresCheck = {
  name: 'partitions-due',
  needs: 'tables',
  async examine({ database: { operator } }) {
    const { widthMs, partitions } = await operator.partitions();
    if (widthMs === null) return examined('one plain table');
    const { databaseNow } = await operator.clock();
    // Pruning comes once an hour, and one that is in use is left for the next time.
    const late = partitions.filter(({ dueAt }) => databaseNow - dueAt > GRACE_MS);
    const [oldest] = late;
    if (!oldest) return examined(`${partitions.length}, none overdue`);
    const bytes = late.reduce((sum, each) => sum + each.bytes, 0);
    return examined(`${late.length} overdue`, {
      severity: 'warning',
      what:
        `${late.length} partitions should have been dropped, ${oldest.name} ` +
        `${formatDuration(databaseNow - oldest.dueAt)} ago.`,
      why: `Pruning does not run, or is always in somebody’s way. They hold ${(bytes / 1024 / 1024).toFixed(1)} MiB.`,
      do: 'Run `onceward prune`; if one stays, see `open-transactions`.',
    });
  },
};

const GRACE_MS = 6 * 3_600_000;
