import { examined } from '../finding.ts';
import type { PostgresCheck } from '../postgres-check.ts';

/** Whether there are partitions for the keys of now and of the next ones. */
export const partitionsAhead: PostgresCheck = {
  name: 'partitions-ahead',
  needs: 'tables',
  async examine({ database: { operator } }) {
    const { widthMs, partitions } = await operator.partitions();
    if (widthMs === null) return examined('one plain table');
    const { databaseNow } = await operator.clock();
    const has = (at: number) => partitions.some(({ from, until }) => from <= at && at < until);
    if (has(databaseNow) && has(databaseNow + widthMs)) return examined('there');
    return examined('missing', {
      severity: 'warning',
      what: `There is no partition for the keys of ${has(databaseNow) ? 'the next span of time' : 'now'}.`,
      why: 'Pruning makes them ahead of time, so it does not seem to run. The first request that needs one makes it, while others wait.',
      do: 'Run `onceward prune`, and from then on createMaintenance() in a server, pg_cron, or cron.',
    });
  },
};
