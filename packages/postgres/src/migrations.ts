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
];
