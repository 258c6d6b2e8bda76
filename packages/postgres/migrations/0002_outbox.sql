-- Statements are separated by blank lines and contain none: each is sent on its own.
create table :SCHEMA.outbox_jobs (
  id           bigint      generated always as identity primary key,
  key          text        not null constraint a_job_is_written_once unique,
  task         text        not null,
  -- Jobs of one lane run one after the other.
  lane         text,
  payload      text        not null,
  created_at   timestamptz not null,
  state        smallint    not null,
  -- Whether it may run as far as its lane goes: 0 nobody has looked, 1 another one is before it,
  -- 2 yes, 3 it has finished and the lane was handed on.
  turn         smallint    not null,
  attempt      integer     not null default 0,
  -- Attempts since it was written, or since somebody brought it back from the dead.
  tries        integer     not null default 0,
  -- Nobody may take it before: it waits until then, or somebody holds a lease until then.
  available_at timestamptz not null,
  token        uuid,
  finished_at  timestamptz,
  last_error   text,
  -- Why somebody discarded it, and who.
  reason       text,
  decided_by   text,
  constraint state_is_known check (state between 1 and 5),
  constraint turn_is_known check (turn between 0 and 3),
  constraint only_the_unfinished_are_waiting_or_running
    check ((state in (1, 2)) = (finished_at is null)),
  constraint running_has_a_token check (state <> 2 or token is not null),
  constraint discarding_has_a_reason
    check (state <> 5 or (reason is not null and decided_by is not null))
)
-- Every job leaves two dead rows behind: its index of what is due is to stay small.
with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

create index outbox_jobs_due on :SCHEMA.outbox_jobs (task, available_at, id)
  where finished_at is null and turn = 2;

-- However many relays decide at once: a lane has one job whose turn it is.
create unique index outbox_jobs_turn on :SCHEMA.outbox_jobs (lane)
  where lane is not null and finished_at is null and turn = 2;

create index outbox_jobs_lane on :SCHEMA.outbox_jobs (lane, id)
  where lane is not null and finished_at is null;

create index outbox_jobs_new on :SCHEMA.outbox_jobs (id)
  where turn = 0;

create index outbox_jobs_leaving on :SCHEMA.outbox_jobs (id)
  where lane is not null and finished_at is not null and turn = 2;

create index outbox_jobs_dead on :SCHEMA.outbox_jobs (id)
  where state = 4;

create index outbox_jobs_finished on :SCHEMA.outbox_jobs (finished_at)
  where state in (3, 5);

create view :SCHEMA.jobs as
  select id, key, task, lane,
         case state when 1 then 'waiting'
                    when 2 then 'running'
                    when 3 then 'done'
                    when 4 then 'dead'
                    when 5 then 'discarded' end as state,
         attempt,
         state = 2 and available_at <= clock_timestamp() as lease_ran_out,
         case when state = 1 then available_at end as due_at,
         case when state = 2 then available_at end as lease_expires_at,
         created_at,
         finished_at,
         last_error,
         reason,
         decided_by
    from :SCHEMA.outbox_jobs;

create table :SCHEMA.inbox_messages (
  -- 128 bits of a hash over source and message id.
  id           uuid        primary key,
  token        uuid        not null,
  processed_at timestamptz not null,
  source       text        not null,
  message_id   text        not null,
  answer       text
);

create index inbox_messages_processed on :SCHEMA.inbox_messages (source, processed_at);

create view :SCHEMA.messages as
  select source, message_id, processed_at
    from :SCHEMA.inbox_messages;

comment on table :SCHEMA.outbox_jobs is
  'Private to @onceward/postgres: its columns may change in any release. Read the view "jobs".';

comment on view :SCHEMA.jobs is
  'Every job of the outbox, in words and without its payload.';

comment on table :SCHEMA.inbox_messages is
  'Private to @onceward/postgres: its columns may change in any release. Read the view "messages".';

comment on view :SCHEMA.messages is
  'Every message that was processed and is remembered, without its answer.';
