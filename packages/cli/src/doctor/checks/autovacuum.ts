import { examined } from '../finding.ts';
import type { PostgresCheck } from '../postgres-check.ts';
import { isOff } from '../settings-of.ts';

/** Whether dead rows are cleared away, on the server and on each of our tables. */
export const autovacuum: PostgresCheck = {
  name: 'autovacuum',
  needs: 'connection',
  async examine({ database: { pool, schema } }) {
    const { rows } = await pool.query<{ server: string; tables: string[] }>({
      text: `
        select current_setting('autovacuum') as server,
               coalesce((select array_agg(relname::text order by relname)
                           from pg_class
                           join pg_namespace on pg_namespace.oid = relnamespace
                          where nspname = $1::text
                            and exists (select from unnest(reloptions) as option
                                         where option ~* '^autovacuum_enabled=(off|false|no|0)$')),
                        '{}') as tables`,
      values: [schema],
    });
    const { server = 'on', tables = [] } = rows[0] ?? {};
    const where = isOff(server) ? 'on the server' : `for ${tables.slice(0, 3).join(', ')}`;
    if (!isOff(server) && tables.length === 0) return examined(server);
    return examined('off', {
      severity: 'warning',
      what: `Autovacuum is off ${where}.`,
      why: 'Dead rows stay: tables and the index of the outbox grow, and taking a job gets slower with every job that was done.',
      do: isOff(server)
        ? 'Set autovacuum = on in postgresql.conf and reload.'
        : 'alter table … reset (autovacuum_enabled).',
    });
  },
};
