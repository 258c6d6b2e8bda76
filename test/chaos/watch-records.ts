import type pg from 'pg';
import type { Transition } from './transitions.ts';

/** What breaks in the middle of a statement, where only the database can break it. */
export const midStatementFaults = {
  'sweeper-mid-batch': 'database: connection ended in the middle of a sweep',
  'pruner-between-select-and-delete': 'database: connection ended between select and delete',
} as const;

/** How a connection that is about to end says where. */
export const lastWords = 'died at ';

/**
 * Lets the database itself note what becomes of a record, in the transaction that does it: an event
 * of the engine does not say whether an attempt that is not the first comes after a lease or after
 * a release. From time to time it also ends a connection in the middle of a sweep, or of a deletion.
 */
export async function watchRecords(pool: pg.Pool): Promise<void> {
  await pool.query(noting);
  await pool.query(dying);
  for (const table of await tablesOf(pool)) {
    for (const trigger of triggers) await pool.query(trigger(table));
  }
}

/** From now on nothing dies in there. */
export async function leaveRecordsAlone(pool: pg.Pool): Promise<void> {
  await pool.query('drop function die_here cascade');
}

/** What was noted, and how often. */
export async function notedTransitions(
  pool: pg.Pool,
): Promise<Partial<Record<Transition, number>>> {
  const { rows } = await pool.query<{ name: Transition; times: number }>(
    'select name, count(*)::int as times from transitions group by name',
  );
  return Object.fromEntries(rows.map(({ name, times }) => [name, times]));
}

const noting = `
  create table transitions (name text not null);
  create function note_transition() returns trigger language plpgsql as $$
  begin
    insert into public.transitions values (case
      when old.state = 3 then 'busted'
      when old.state = 4 then 'completed-late'
      when new.state = 4 then 'orphaned'
      when old.state = 2 then 'executed-again'
      else 'taken-over' end);
    return null;
  end $$`;

const dying = `
  create function die_here() returns trigger language plpgsql as $$
  begin
    raise warning '${lastWords}%', tg_argv[0];
    perform pg_terminate_backend(pg_backend_pid());
    return coalesce(new, old);
  end $$`;

/** States are 1 in progress, 2 released, 3 completed, 4 unknown. */
const triggers = [
  (table: string) => `
    create trigger note_transition after update on ${table} for each row
      when (old.state = 3 and new.state = 2
         or old.state = 4 and new.state = 3 and old.token = new.token
         -- A holder that doubts says so in other words.
         or old.state = 1 and new.state = 4 and current_query() not like '%case state when%'
         or old.state in (1, 2) and new.state in (1, 3) and old.token <> new.token)
      execute function note_transition()`,
  (table: string) => `
    create trigger die_in_a_sweep after update on ${table} for each row
      when (old.state = 1 and new.state in (2, 4) and current_query() like '%swept as%'
            and random() < 0.3)
      execute function die_here('sweeper-mid-batch')`,
  (table: string) => `
    create trigger die_before_a_deletion before delete on ${table} for each row
      -- By the transaction: by the row, hardly any page of them would ever be deleted.
      when (pg_current_xact_id()::text::bigint % 3 = 0)
      execute function die_here('pruner-between-select-and-delete')`,
];

/** Records are in partitions, which inherit no triggers. */
async function tablesOf(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits
      where inhparent = 'onceward.records'::regclass
      union all select 'onceward.records'`,
  );
  return rows.map(({ name }) => name);
}
