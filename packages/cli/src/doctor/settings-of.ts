import type { PostgresSubject } from './postgres-check.ts';

/**
 * What a setting is for the application.
 *
 * For the role of this connection that is what the session has. For another role it is what
 * `alter role` and `alter database` say, in the order PostgreSQL applies them, else what the server
 * has; where this session has a value of its own, the server's is not visible, and its default
 * stands in.
 */
export async function settingOf(
  { database, options }: PostgresSubject,
  name: string,
): Promise<string> {
  const { rows } = await database.pool.query<{ value: string }>({
    text: `
      with asked as (
        select coalesce($2::text, current_user)::name as role
      ), configured as (
        select split_part(config, '=', 2) as value,
               (setrole <> 0)::int * 2 + (setdatabase <> 0)::int as precedence
          from pg_db_role_setting, unnest(setconfig) as config
         where setrole in (0, (select oid from pg_roles, asked where rolname = role))
           and setdatabase in (0, (select oid from pg_database where datname = current_database()))
           and split_part(config, '=', 1) = $1::text
         order by precedence desc
         limit 1
      )
      select case when role = current_user then current_setting($1::text)
                  else coalesce((select value from configured),
                                case when source in ('user', 'database user', 'client', 'session')
                                     then boot_val else setting end)
             end as value
        from asked, pg_settings
       where name = $1::text`,
    values: [name, options.role ?? null],
  });
  return (rows[0]?.value ?? '').toLowerCase();
}

/** As `alter role … set` takes it. */
export function isOff(value: string): boolean {
  return ['off', 'false', 'no', '0', 'f', 'n'].includes(value);
}
