import { formatDuration } from '../../duration.ts';
import { examined } from '../finding.ts';
import type { PostgresCheck } from '../postgres-check.ts';

/** Whether a relay takes jobs when they are due. */
export const waitingJobs: PostgresCheck = {
  name: 'waiting-jobs',
  needs: 'tables',
  async examine({ database: { pool, schema }, options: { patienceMs } }) {
    const { rows } = await pool.query<{ count: number; oldest: number; tasks: string[] }>({
      text: `
        select count(*)::int as count,
               max(extract(epoch from clock_timestamp() - due_at) * 1000)::float8 as oldest,
               coalesce(array_agg(distinct task), '{}') as tasks
          from "${schema}".jobs
         where state = 'waiting'
           and due_at < clock_timestamp() - $1::float8 * interval '1 ms'`,
      values: [patienceMs],
    });
    const { count = 0, oldest = 0, tasks = [] } = rows[0] ?? {};
    if (count === 0) return examined('none late');
    return examined(`${count} late`, {
      severity: 'warning',
      what: `${count} jobs of ${tasks.slice(0, 5).join(', ')} are late, the oldest by ${formatDuration(oldest)}.`,
      why: 'No relay with handlers for these tasks runs, or there are too few, or the head of a lane holds up the others.',
      do: 'Check that createRelay(…) runs somewhere with handlers for them; see `onceward outbox list --state running`.',
    });
  },
};
