-- Statements are separated by blank lines and contain none: each is sent on its own.
-- What people did to jobs, beside what they did to records.
alter table :SCHEMA.audit
  alter column record_id drop not null,
  alter column scope drop not null,
  add column job_id bigint,
  add constraint about_a_record_or_a_job check ((record_id is null) <> (job_id is null));

-- The history of one record, however long the trail has become.
create index audit_record on :SCHEMA.audit (record_id, id) where record_id is not null;

comment on table :SCHEMA.audit is
  'Who settled or busted a key, retried or discarded a job, or looked at what they hold; when, and why. Yours to keep for as long as you must.';
