-- Statements are separated by blank lines and contain none: each is sent on its own.
create table :SCHEMA.records (
  -- What completion leaves alone comes first, what it changes comes last: an update then logs
  -- the changed end of the row only.
  id                  uuid        primary key,
  key                 uuid        not null,
  token               uuid        not null,
  key_expires_at      timestamptz not null,
  lease_expires_at    timestamptz not null,
  attempt             integer     not null,
  fingerprint_version smallint    not null,
  re_executable       boolean     not null,
  fingerprint         bytea       not null,
  scope               text        not null,
  operation           text        not null,
  state               smallint    not null,
  outcome             smallint,
  unknown_since       timestamptz,
  answer_expires_at   timestamptz,
  body                bytea,
  constraint state_is_known check (state between 1 and 4),
  constraint completed_has_an_outcome check ((state = 3) = (outcome is not null)),
  constraint unknown_has_a_start check (state <> 4 or unknown_since is not null)
)
-- Nine new rows fill a page, and the page has room for the old and the new version of all nine when
-- answers are half a kilobyte. So completion is a HOT update, even while an old snapshot keeps the
-- old versions alive: no second index entry, and nothing for a vacuum to do.
with (fillfactor = 17);

-- Keys that are no UUID v7 have no time in them: their id is a hash, and nothing keeps it in order.
create table :SCHEMA.opaque_records (
  like :SCHEMA.records including all
)
with (fillfactor = 17);

alter table :SCHEMA.opaque_records alter column key type text;

-- lz4 was three times as fast as pglz on answers of 8 kB. A server may be built without it.
do $$
begin
  execute 'alter table :SCHEMA.records alter column body set compression lz4';
  execute 'alter table :SCHEMA.opaque_records alter column body set compression lz4';
exception when feature_not_supported then
  raise notice 'this server has no lz4: answers are compressed with pglz';
end
$$;

-- What people did to records, and why: written in the transaction that does it.
create table :SCHEMA.audit (
  id        bigint      generated always as identity primary key,
  at        timestamptz not null default clock_timestamp(),
  actor     text        not null,
  action    text        not null,
  record_id uuid        not null,
  scope     text        not null,
  key       text        not null,
  operation text        not null,
  evidence  jsonb
);

create view :SCHEMA.keys as
  select key::text, scope, operation,
         case state when 1 then 'in-progress'
                    when 2 then 'released'
                    when 3 then 'completed'
                    when 4 then 'unknown' end as state,
         case outcome when 1 then 'success'
                      when 2 then 'failure'
                      when 3 then 'unavailable: too-large'
                      when 4 then 'unavailable: not-serialisable'
                      when 5 then 'unavailable: streamed'
                      when 6 then 'unavailable: expired'
                      when 7 then 'unavailable: undecodable'
                      when 8 then 'unavailable: settled' end as outcome,
         attempt,
         state = 1 and lease_expires_at <= clock_timestamp() as lease_ran_out,
         case when state = 1 then lease_expires_at end as lease_expires_at,
         case when state = 4 then unknown_since end as unknown_since,
         case when state = 3 then answer_expires_at end as answer_expires_at,
         key_expires_at
    from (select id, key::text, scope, operation, state, outcome, attempt, lease_expires_at,
                 unknown_since, answer_expires_at, key_expires_at
            from :SCHEMA.records
           union all
          select id, key, scope, operation, state, outcome, attempt, lease_expires_at,
                 unknown_since, answer_expires_at, key_expires_at
            from :SCHEMA.opaque_records) as both_tables;

-- Who is to find out what became of the records that are unknown, and when next. A table of its own:
-- an index on the state would make every completion write to it.
create table :SCHEMA.lookups (
  record_id     uuid        primary key,
  scope         text        not null,
  key           text        not null,
  opaque        boolean     not null,
  operation     text        not null,
  attempt       integer     not null,
  unknown_since timestamptz not null,
  -- How often somebody has begun to look, and who looks now: theirs until it is due.
  looks         integer     not null default 0,
  token         uuid,
  due_at        timestamptz not null default clock_timestamp(),
  -- From when on only a person can find out.
  dead_at       timestamptz
);

create index lookups_due on :SCHEMA.lookups (due_at) where dead_at is null;

-- A record is there for exactly as long as it is unknown, whoever changes its state.
create function :SCHEMA.note_unknown() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from :SCHEMA.lookups where record_id = new.id;
  if new.state = 4 then
    insert into :SCHEMA.lookups
      (record_id, scope, key, opaque, operation, attempt, unknown_since)
    values
      (new.id, new.scope, new.key::text, tg_table_name = 'opaque_records', new.operation, new.attempt,
       new.unknown_since);
  end if;
  return null;
end
$$;

create trigger note_unknown after update on :SCHEMA.records
  for each row when ((old.state = 4) <> (new.state = 4))
  execute function :SCHEMA.note_unknown();

create trigger note_unknown after update on :SCHEMA.opaque_records
  for each row when ((old.state = 4) <> (new.state = 4))
  execute function :SCHEMA.note_unknown();

-- Partitions: tables that inherit from `records`, each for the keys of one span of time.
--
--   (none) ──create──▶ records_20250601000000000 ──close──▶ records_…_closed ──drop──▶ (none)
--                          all of its records here             each record here, or moved to
--                                                              `records` itself, which keeps them
--
-- Whoever wants a record sends the statement to the partition by its name. Closing is renaming: it
-- needs an exclusive lock for a moment, and from then on nobody finds the partition by its name, so
-- it can be emptied and dropped with nobody in it. A partition that was closed is never made again.
create table :SCHEMA.layout (
  one_row    boolean primary key default true check (one_row),
  -- How much time one partition spans; null where `records` is one plain table.
  width_ms   bigint check (width_ms > 0),
  -- How much older than its youngest key a partition gets before it is dropped.
  horizon_ms bigint not null default 0 check (horizon_ms >= 0),
  -- Older keys have no partition, or one that is closed, and will have none.
  floor_ms   bigint not null default 0,
  check (width_ms is null or floor_ms % width_ms = 0)
);

insert into :SCHEMA.layout default values;

-- Whether a record may go: its key cannot be presented any more, nobody was promised its answer for
-- longer, and it is known how it ended. Anything else would be deciding that it did not happen.
create function :SCHEMA.may_go(
  state smallint, key_expires_at timestamptz, answer_expires_at timestamptz, now timestamptz)
returns boolean language sql immutable
return state in (2, 3)
   and key_expires_at < now
   and (answer_expires_at is null or answer_expires_at = 'infinity' or answer_expires_at < now);

-- The key's own time, with which the id of its record begins, in milliseconds since 1970.
create function :SCHEMA.key_ms(id uuid) returns bigint language sql immutable
return ('x0000' || translate(left(id::text, 13), '-', ''))::bit(64)::bigint;

-- The least id that a key of this time can have.
create function :SCHEMA.first_id(ms bigint) returns uuid language sql immutable
return (lpad(to_hex(ms), 12, '0') || repeat('0', 20))::uuid;

create function :SCHEMA.partition_name(start_ms bigint) returns text language sql immutable
return 'records_' || to_char(timestamp 'epoch' + start_ms * interval '1 ms', 'YYYYMMDDHH24MISSMS');

create function :SCHEMA.partition_start_ms(name text) returns bigint language sql immutable
return 1000 * extract(epoch from regexp_replace(name,
         '^records_(.{4})(..)(..)(..)(..)(..)(...).*$', '\1-\2-\3 \4:\5:\6.\7')::timestamp);

-- Takes no lock on any of them.
create view :SCHEMA.partition_spans as
  select oid, name, start_ms,
         case when name like '%\_closed' then 'closing' else 'open' end as state,
         start_ms + width_ms as end_ms,
         -- Deliveries take time: without an hour's grace, the last ones would have to be moved.
         start_ms + width_ms + horizon_ms + least(width_ms, 3600000) as due_ms,
         estimated_records
    from (select child.oid, child.relname::text as name,
                 greatest(child.reltuples, 0)::bigint as estimated_records,
                 :SCHEMA.partition_start_ms(child.relname) as start_ms
            from pg_inherits
            join pg_class as child on child.oid = inhrelid
           where inhparent = ':SCHEMA.records'::regclass
             and child.relname ~ '^records_\d{17}(_closed)?$') as children,
         :SCHEMA.layout;

create view :SCHEMA.partitions as
  select name, state,
         to_timestamp(start_ms / 1000.0) as from_at,
         to_timestamp(end_ms / 1000.0) as until_at,
         to_timestamp(due_ms / 1000.0) as due_at,
         estimated_records,
         pg_total_relation_size(oid) as bytes
    from :SCHEMA.partition_spans;

-- Makes the partition that begins at this time, unless it is there or never to be made again.
-- Whoever changes the row of `layout` or makes partitions locks that row: one at a time.
create function :SCHEMA.create_partition(start_ms bigint) returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp set client_min_messages = warning as $$
declare
  divided :SCHEMA.layout;
  name    text := :SCHEMA.partition_name(start_ms);
  granted record;
begin
  select * into strict divided from :SCHEMA.layout for update;
  if divided.width_ms is null or start_ms < divided.floor_ms or start_ms % divided.width_ms <> 0
     or to_regclass(format('%s.%I', ':SCHEMA', name)) is not null then
    return;
  end if;
  -- `if not exists`: who waited for the lock may remember that there was no such table.
  execute format(
    'create table if not exists %1$s.%2$I (
       primary key (id), constraint key_time check (id >= %3$L and id < %4$L))
       inherits (%1$s.records) %5$s',
    ':SCHEMA', name, :SCHEMA.first_id(start_ms), :SCHEMA.first_id(start_ms + divided.width_ms),
    (select 'with (' || array_to_string(reloptions, ', ') || ')'
       from pg_class where oid = ':SCHEMA.records'::regclass));
  -- Neither triggers nor rights are inherited, and a statement that names a partition needs both.
  execute format(
    'create or replace trigger note_unknown after update on %1$s.%2$I
       for each row when ((old.state = 4) <> (new.state = 4)) execute function %1$s.note_unknown()',
    ':SCHEMA', name);
  for granted in
    select privilege_type as privilege,
           case grantee when 0 then 'public' else grantee::regrole::text end as role
      from pg_class cross join lateral aclexplode(relacl)
     where oid = ':SCHEMA.records'::regclass and grantee <> relowner
  loop
    execute format('grant %s on %s.%I to %s', granted.privilege, ':SCHEMA', name, granted.role);
  end loop;
end
$$;

-- Makes the partition of now and the next two.
create function :SCHEMA.create_partitions() returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  width_ms bigint := (select layout.width_ms from :SCHEMA.layout);
  now_ms   bigint := extract(epoch from clock_timestamp()) * 1000;
begin
  for ahead in 0..2 loop
    perform :SCHEMA.create_partition(now_ms - now_ms % width_ms + ahead * width_ms);
  end loop;
end
$$;

-- Where the record of a key is, for whoever looked for it in vain: in its partition, which is made
-- if there is none, or in `records` itself, to which it is moved if its partition is closed.
create function :SCHEMA.place(
  key_ms bigint, record_id uuid, out home text, out width_ms bigint, out kept_below_ms bigint)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  start_ms bigint;
  floor_ms bigint;
begin
  home := 'records';
  select layout.width_ms, layout.floor_ms into strict width_ms, floor_ms from :SCHEMA.layout;
  start_ms := key_ms - key_ms % width_ms;
  if key_ms >= floor_ms and width_ms is not null then
    if key_ms > (extract(epoch from clock_timestamp()) + 366 * 86400) * 1000 then
      raise exception 'No partition is made for a key from more than a year ahead'
        using errcode = 'invalid_parameter_value';
    end if;
    perform :SCHEMA.create_partition(start_ms);
    -- Unless the floor has passed it meanwhile, it is there.
    select layout.floor_ms into strict floor_ms from :SCHEMA.layout;
    home := case when key_ms >= floor_ms then 'partition' else 'records' end;
  end if;
  if home = 'records' and width_ms is not null then
    begin
      execute format(
        'with moved as (delete from only %1$s.%2$I where id = $1 returning *)
         insert into %1$s.records select * from moved',
        ':SCHEMA', :SCHEMA.partition_name(start_ms) || '_closed') using record_id;
    exception when undefined_table then
      null;
    end;
  end if;
  kept_below_ms := coalesce(
    (select min(closing.start_ms) from :SCHEMA.partition_spans as closing where state = 'closing'),
    floor_ms);
end
$$;

-- Closes the oldest partition that is due, and answers with its new name. In the order of their age:
-- the floor must not pass a partition that is open.
create function :SCHEMA.close_partition() returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  divided :SCHEMA.layout;
  due     text;
  now_ms  bigint := extract(epoch from clock_timestamp()) * 1000;
begin
  select * into strict divided from :SCHEMA.layout for update;
  if divided.width_ms is null then
    return null;
  end if;
  -- Open still: somebody else may have closed one while we waited for the row.
  select name into due from :SCHEMA.partition_spans
   where state = 'open' and due_ms <= now_ms order by start_ms limit 1;
  if due is null then
    -- Nor is one made any more that would be due at once.
    now_ms := now_ms - divided.horizon_ms - least(divided.width_ms, 3600000);
    update :SCHEMA.layout set floor_ms = now_ms - now_ms % divided.width_ms
     where floor_ms < now_ms - now_ms % divided.width_ms;
    return null;
  end if;
  execute format('lock table only %s.%I in access exclusive mode', ':SCHEMA', due);
  execute format('alter table %s.%I rename to %I', ':SCHEMA', due, due || '_closed');
  update :SCHEMA.layout
     set floor_ms = greatest(floor_ms, :SCHEMA.partition_start_ms(due) + divided.width_ms);
  return due || '_closed';
end
$$;

-- Takes one step towards dropping what is due, and says where the next one goes on. A step looks at
-- so many pages. It waits a moment for its lock on the one partition it is about, and then gives up:
-- whoever comes to that partition meanwhile waits behind it, and nobody else does.
--
--   closed    the oldest partition that is due was closed
--   moved     what must stay was moved out of some pages of a closed one
--   dropped   a closed one had nothing left that must stay, and is gone
--   busy      somebody is in the way: another time
--   done      nothing is due
create function :SCHEMA.retire_partition(
  name text, from_page bigint, pages bigint,
  out step text, out next_name text, out next_page bigint, out moved bigint, out dropped bigint)
language plpgsql security definer
set search_path = pg_catalog, pg_temp set lock_timeout = '50ms' as $$
declare
  closing text;
  staying bigint;
  -- Read once: with a clock that goes on, may_go could not become part of the statement.
  now_at  timestamptz := clock_timestamp();
begin
  next_page := 0;
  moved := 0;
  dropped := 0;
  select spans.name into next_name from :SCHEMA.partition_spans as spans
   where state = 'closing' order by start_ms limit 1;
  if next_name is null then
    next_name := :SCHEMA.close_partition();
    step := case when next_name is null then 'done' else 'closed' end;
    return;
  end if;
  closing := format('%s.%I', ':SCHEMA', next_name);
  if name is distinct from next_name then
    from_page := 0;
  end if;
  if from_page * current_setting('block_size')::bigint < pg_relation_size(closing::regclass) then
    execute format(
      'with staying as (
         delete from only %1$s
          where ctid >= $1 and ctid < $2
            and not %2$s.may_go(state, key_expires_at, answer_expires_at, $3)
         returning *)
       insert into %2$s.records select * from staying', closing, ':SCHEMA')
      using format('(%s,0)', from_page)::tid, format('(%s,0)', from_page + pages)::tid, now_at;
    get diagnostics moved = row_count;
    step := 'moved';
    next_page := from_page + pages;
    return;
  end if;
  -- Counted again, whoever says that all was moved: nobody can put anything into it any more.
  execute format(
    'select count(*),
            count(*) filter (where not %2$s.may_go(state, key_expires_at, answer_expires_at, $1))
       from only %1$s', closing, ':SCHEMA') into dropped, staying using now_at;
  if staying > 0 then
    step := 'moved';
    dropped := 0;
    return;
  end if;
  execute format('lock table only %s in access exclusive mode', closing);
  execute format('drop table %s', closing);
  step := 'dropped';
exception when lock_not_available or undefined_table then
  step := 'busy';
  dropped := 0;
end
$$;

-- Makes what is missing and drops what is due, for pg_cron: call :SCHEMA.prune_partitions().
create procedure :SCHEMA.prune_partitions() language plpgsql as $$
declare
  step      text;
  next_name text;
  next_page bigint;
begin
  perform :SCHEMA.create_partitions();
  commit;
  loop
    select retired.step, retired.next_name, retired.next_page into step, next_name, next_page
      from :SCHEMA.retire_partition(next_name, next_page, 1024) as retired;
    commit;
    exit when step in ('busy', 'done');
  end loop;
end
$$;

-- A release, or a process, that takes `records` for the place of a record is told that it is not.
create function :SCHEMA.refuse_misplaced() returns trigger language plpgsql as $$
begin
  if :SCHEMA.key_ms(new.id) < (select floor_ms from :SCHEMA.layout) then
    return new;
  end if;
  raise exception 'The record of this key belongs into a partition' using errcode = 'check_violation';
end
$$;

-- Divides `records` by the time of its keys, from the next boundary on; older keys stay where they
-- are. The width is chosen once: by another one, a key would be looked for in another partition.
create function :SCHEMA.partition_records(width_ms bigint, horizon_ms bigint) returns void
language plpgsql as $$
declare
  divided    :SCHEMA.layout;
  newest_ms bigint;
  now_ms    bigint := extract(epoch from clock_timestamp()) * 1000;
begin
  select * into strict divided from :SCHEMA.layout for update;
  update :SCHEMA.layout set horizon_ms = partition_records.horizon_ms;
  if divided.width_ms = partition_records.width_ms then
    return;
  end if;
  if divided.width_ms is not null then
    raise exception 'Partitions are % ms wide, and this cannot be changed', divided.width_ms
      using errcode = 'object_not_in_prerequisite_state';
  end if;
  -- Nobody writes to it until it is known where the first partition begins.
  lock table only :SCHEMA.records in share row exclusive mode;
  select :SCHEMA.key_ms(id) into newest_ms from only :SCHEMA.records order by id desc limit 1;
  update :SCHEMA.layout
     set width_ms = partition_records.width_ms,
         floor_ms = case when newest_ms is null then now_ms - now_ms % partition_records.width_ms
                    else (greatest(newest_ms, now_ms) / partition_records.width_ms + 1)
                         * partition_records.width_ms end;
  create trigger refuse_misplaced before insert on :SCHEMA.records
    for each row execute function :SCHEMA.refuse_misplaced();
end
$$;

-- Gives an application's role what it needs to keep records, jobs and messages here, and no more.
create function :SCHEMA.grant_to(role name) returns void language plpgsql as $$
declare
  partition text;
begin
  execute format('grant usage on schema :SCHEMA to %I', role);
  execute format('grant select on all tables in schema :SCHEMA to %I', role);
  execute format('grant insert on :SCHEMA.audit to %I', role);
  execute format('grant update, delete on :SCHEMA.lookups to %I', role);
  execute format(
    'grant insert, update, delete on :SCHEMA.outbox_jobs, :SCHEMA.inbox_messages to %I', role);
  execute format('grant insert, update, delete on :SCHEMA.records, :SCHEMA.opaque_records to %I', role);
  for partition in select name from :SCHEMA.partition_spans loop
    execute format('grant insert, update, delete on :SCHEMA.%I to %I', partition, role);
  end loop;
  execute format(
    'grant execute on function :SCHEMA.place, :SCHEMA.create_partitions, :SCHEMA.retire_partition
       to %I', role);
end
$$;

-- They act with the rights of whoever owns the tables.
revoke execute on function
  :SCHEMA.create_partition, :SCHEMA.create_partitions, :SCHEMA.place, :SCHEMA.close_partition,
  :SCHEMA.retire_partition from public;

comment on schema :SCHEMA is
  'Idempotency records of @onceward/postgres. Look at the views "keys" and "partitions".';

comment on table :SCHEMA.records is
  'Private to @onceward/postgres: its columns may change in any release. Read the view "keys".';

comment on table :SCHEMA.opaque_records is
  'Private to @onceward/postgres: its columns may change in any release. Read the view "keys".';

comment on table :SCHEMA.layout is
  'Private to @onceward/postgres: how "records" is divided. Read the view "partitions".';

comment on table :SCHEMA.audit is
  'Who settled or busted a key, when, and on what evidence. Yours to keep for as long as you must.';

comment on table :SCHEMA.lookups is
  'Private to @onceward/postgres: who is to find out what became of unknown records, and when next.';

comment on view :SCHEMA.keys is
  'Every idempotency key that is remembered, in words and without its answer.';

comment on view :SCHEMA.partitions is
  'The partitions of "records", and from when on each is dropped by pruning.';
