import { formatDuration } from '../../duration.ts';
import { examined } from '../finding.ts';
import type { PostgresCheck } from '../postgres-check.ts';

/** Whether somebody keeps a transaction open for long. */
export const openTransactions: PostgresCheck = {
  name: 'open-transactions',
  needs: 'connection',
  async examine({ database: { pool }, options: { patienceMs } }) {
    const { rows } = await pool.query<{ count: number; oldest: number; pid: number }>({
      text: `
        select count(*)::int as count,
               max(extract(epoch from clock_timestamp() - xact_start) * 1000)::float8 as oldest,
               (array_agg(pid order by xact_start))[1] as pid
          from pg_stat_activity
         where datname = current_database()
           and pid <> pg_backend_pid()
           and backend_type = 'client backend'
           and xact_start < clock_timestamp() - $1::float8 * interval '1 ms'`,
      values: [patienceMs],
    });
    const { count = 0, oldest = 0, pid = 0 } = rows[0] ?? {};
    if (count === 0) return examined(`none for ${formatDuration(patienceMs)}`);
    return examined(`${count}`, {
      severity: 'warning',
      what:
        `${count} transactions have been open for more than ${formatDuration(patienceMs)}, the ` +
        `oldest for ${formatDuration(oldest)} (pid ${pid}).`,
      why: 'Its key stays in progress if it is an atomic mutation, no partition it has touched can be dropped, and nothing is vacuumed.',
      do: `See what it does in pg_stat_activity, and end it: select pg_terminate_backend(${pid}).`,
    });
  },
};
