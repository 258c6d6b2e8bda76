import type { Queryable } from '../database/database.ts';
import { answer, readAnswers } from '../sql/answer.ts';

/** A right that a role needs to keep records, jobs and messages here, and does not have. */
export interface MissingRight {
  /** `update`, `execute`, … */
  readonly right: string;
  /** The schema, a table or a function. */
  readonly on: string;
}

/**
 * What a role lacks of the rights that `grant_to` gives. Asks the catalog by names: whoever lacks
 * rights on the schema may not ask for what is in it.
 */
export async function listMissingRights(
  database: Queryable,
  schema: string,
  role: string | undefined,
): Promise<MissingRight[]> {
  const rows = await database.query(
    `with asked as (
       select coalesce($1::text, current_user)::name as role
     ), wanted as (
       select 'usage' as right, 'schema ' || nspname as "on",
              has_schema_privilege(role, oid, 'usage') as held
         from pg_namespace, asked
        where nspname = $2::text
        union all
       select wanted_right, relname::text, has_table_privilege(role, pg_class.oid, wanted_right)
         from asked, pg_class
         join pg_namespace on pg_namespace.oid = relnamespace
        cross join lateral unnest(case
                when relname ~ '^(opaque_)?records(_\\d{17}(_closed)?)?$'
                  or relname in ('outbox_jobs', 'inbox_messages')
                  then array['select', 'insert', 'update', 'delete']
                when relname = 'lookups' then array['select', 'update', 'delete']
                when relname = 'audit' then array['select', 'insert']
                when relname in ('migrations', 'layout', 'partition_spans') then array['select']
              end) as wanted_right
        where nspname = $2::text
          and relkind in ('r', 'v')
        union all
       select 'execute', proname::text, has_function_privilege(role, pg_proc.oid, 'execute')
         from asked, pg_proc
         join pg_namespace on pg_namespace.oid = pronamespace
        where nspname = $2::text
          and proname in ('place', 'create_partitions', 'retire_partition')
     )
     select ${answer({ right: '"right"', on: '"on"' })}
       from wanted
      where not held
      order by "on", "right"`,
    [role ?? null, schema.slice(1, -1)],
  );
  return readAnswers<MissingRight>(rows);
}
