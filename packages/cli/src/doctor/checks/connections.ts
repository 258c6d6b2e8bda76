import { examined, skipped } from '../finding.ts';
import type { PostgresCheck } from '../postgres-check.ts';

/** Whether all pools together can open as many connections as they may want. */
export const connections: PostgresCheck = {
  name: 'connections',
  needs: 'connection',
  async examine({ database: { pool }, options }) {
    if (options.pool === undefined || options.instances === undefined) {
      return skipped('pass --pool and --instances');
    }
    const { rows } = await pool.query<{ limit: number; whose: string }>({
      text: `
        select "limit"::int, whose
          from (select current_setting('max_connections')::int
                       - current_setting('superuser_reserved_connections')::int
                       - coalesce(current_setting('reserved_connections', true), '0')::int,
                       'max_connections, less what is reserved'
                 union all
                select datconnlimit, 'the connection limit of the database'
                  from pg_database where datname = current_database() and datconnlimit >= 0
                 union all
                select rolconnlimit, 'the connection limit of the role'
                  from pg_roles
                 where rolname = coalesce($1::text, current_user) and rolconnlimit >= 0
               ) as limits ("limit", whose)
         order by "limit"
         limit 1`,
      values: [options.role ?? null],
    });
    const { limit = 0, whose = 'max_connections' } = rows[0] ?? {};
    const wanted = options.pool * options.instances;
    const note = `${wanted} of ${limit}`;
    if (wanted <= limit) return examined(note);
    return examined(note, {
      severity: 'error',
      what:
        `${options.instances} instances with a pool of ${options.pool} want ${wanted} connections; ` +
        `${whose} is ${limit}.`,
      why: 'Under load the last ones cannot connect, and their mutations are refused with 503.',
      do: `Make each pool at most ${Math.floor(limit / options.instances)}, put a pooler in between, or raise the limit.`,
    });
  },
};
