// Made from migrations/*.sql by scripts/embed-migrations.mjs. Do not edit.

export interface Migration {
  readonly version: number;
  readonly name: string;
  /** Each is sent on its own. `:SCHEMA` stands for the quoted name of the schema. */
  readonly statements: readonly string[];
}

export const migrations: readonly Migration[] = [
  {
    version: 1,
    name: '0001_records',
    statements: [
      `-- Statements are separated by blank lines and contain none: each is sent on its own.
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
with (fillfactor = 17);`,
      `-- Keys that are no UUID v7 have no time in them: their id is a hash, and nothing keeps it in order.
create table :SCHEMA.opaque_records (
  like :SCHEMA.records including all
)
with (fillfactor = 17);`,
      `alter table :SCHEMA.opaque_records alter column key type text;`,
      `-- lz4 was three times as fast as pglz on answers of 8 kB. A server may be built without it.
do $$
begin
  execute 'alter table :SCHEMA.records alter column body set compression lz4';
  execute 'alter table :SCHEMA.opaque_records alter column body set compression lz4';
exception when feature_not_supported then
  raise notice 'this server has no lz4: answers are compressed with pglz';
end
$$;`,
      `create view :SCHEMA.keys as
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
                      when 7 then 'unavailable: undecodable' end as outcome,
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
            from :SCHEMA.opaque_records) as both_tables;`,
      `comment on schema :SCHEMA is
  'Idempotency records of @onceward/postgres. Look at the view "keys".';`,
      `comment on table :SCHEMA.records is
  'Private to @onceward/postgres: its columns may change in any release. Read the view "keys".';`,
      `comment on table :SCHEMA.opaque_records is
  'Private to @onceward/postgres: its columns may change in any release. Read the view "keys".';`,
      `comment on view :SCHEMA.keys is
  'Every idempotency key that is remembered, in words and without its answer.';`,
    ],
  },
  {
    version: 2,
    name: '0002_outbox',
    statements: [
      `-- Statements are separated by blank lines and contain none: each is sent on its own.
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
with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);`,
      `create index outbox_jobs_due on :SCHEMA.outbox_jobs (task, available_at, id)
  where finished_at is null and turn = 2;`,
      `-- However many relays decide at once: a lane has one job whose turn it is.
create unique index outbox_jobs_turn on :SCHEMA.outbox_jobs (lane)
  where lane is not null and finished_at is null and turn = 2;`,
      `create index outbox_jobs_lane on :SCHEMA.outbox_jobs (lane, id)
  where lane is not null and finished_at is null;`,
      `create index outbox_jobs_new on :SCHEMA.outbox_jobs (id)
  where turn = 0;`,
      `create index outbox_jobs_leaving on :SCHEMA.outbox_jobs (id)
  where lane is not null and finished_at is not null and turn = 2;`,
      `create index outbox_jobs_dead on :SCHEMA.outbox_jobs (id)
  where state = 4;`,
      `create index outbox_jobs_finished on :SCHEMA.outbox_jobs (finished_at)
  where state in (3, 5);`,
      `create view :SCHEMA.jobs as
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
    from :SCHEMA.outbox_jobs;`,
      `create table :SCHEMA.inbox_messages (
  -- 128 bits of a hash over source and message id.
  id           uuid        primary key,
  token        uuid        not null,
  processed_at timestamptz not null,
  source       text        not null,
  message_id   text        not null,
  answer       text
);`,
      `create index inbox_messages_processed on :SCHEMA.inbox_messages (source, processed_at);`,
      `create view :SCHEMA.messages as
  select source, message_id, processed_at
    from :SCHEMA.inbox_messages;`,
      `comment on table :SCHEMA.outbox_jobs is
  'Private to @onceward/postgres: its columns may change in any release. Read the view "jobs".';`,
      `comment on view :SCHEMA.jobs is
  'Every job of the outbox, in words and without its payload.';`,
      `comment on table :SCHEMA.inbox_messages is
  'Private to @onceward/postgres: its columns may change in any release. Read the view "messages".';`,
      `comment on view :SCHEMA.messages is
  'Every message that was processed and is remembered, without its answer.';`,
    ],
  },
];
