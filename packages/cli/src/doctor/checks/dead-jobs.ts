import { examined } from '../finding.ts';
import type { PostgresCheck } from '../postgres-check.ts';

/** Whether jobs were given up. */
export const deadJobs: PostgresCheck = {
  name: 'dead-jobs',
  needs: 'tables',
  async examine({ database: { jobs } }) {
    const dead = (await jobs.counts()).filter(({ state }) => state === 'dead');
    const count = dead.reduce((sum, each) => sum + each.jobs, 0);
    if (count === 0) return examined('0');
    return examined(`${count}`, {
      severity: 'warning',
      what: `${count} jobs are dead: ${dead.map((each) => `${each.jobs} of ${each.task}`).join(', ')}.`,
      why: 'Their last attempt failed, and nobody tries them again. What should follow from a mutation did not.',
      do: 'See `onceward outbox dead`, then `onceward outbox retry` or `discard`.',
    });
  },
};
