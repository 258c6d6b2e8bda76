import type { Queryable } from '../../database/database.ts';
import { answer, readAnswers } from '../../sql/answer.ts';
import { duration, inMs } from '../../sql/clock.ts';
import type { JobLease } from './finish-job.ts';
import { jobState } from './job-state.ts';

/** `busy`: somebody is changing the job just now, such as its own transaction that ends. */
export type Renewal = 'renewed' | 'busy' | 'lease-lost';

/** Extends leases that nobody has taken over. Waits for nobody: all others would wait as well. */
export async function renewJobs(
  database: Queryable,
  schema: string,
  { leases, leaseMs }: { leases: readonly JobLease[]; leaseMs: number },
): Promise<ReadonlyMap<string, Renewal>> {
  const table = `${schema}."outbox_jobs"`;
  const rows = await database.query(
    `with lease as materialized (
       select job.id
         from json_to_recordset($1::text::json) as lease (id int8, token uuid)
         join ${table} as job
           on job.id = lease.id
          and job.token = lease.token
          and job.state = ${jobState.running}
     ), held as materialized (
       select job.id
         from json_to_recordset($1::text::json) as lease (id int8, token uuid)
         join ${table} as job
           on job.id = lease.id
          and job.token = lease.token
          and job.state = ${jobState.running}
          for update of job skip locked
     ), renewed as (
       update ${table}
          set available_at = ${inMs('$2')}
        where id in (select id from held)
    returning id
     )
     select ${answer({
       id: 'lease.id::text',
       renewal: `case when renewed.id is null then 'busy' else 'renewed' end`,
     })}
       from lease
       left join renewed on renewed.id = lease.id`,
    [JSON.stringify(leases.map(({ id, token }) => ({ id, token }))), duration(leaseMs)],
  );
  const renewals = readAnswers<{ id: string; renewal: Renewal }>(rows);
  const found = new Map(renewals.map(({ id, renewal }) => [id, renewal]));
  return new Map(leases.map(({ id }) => [id, found.get(id) ?? 'lease-lost']));
}
