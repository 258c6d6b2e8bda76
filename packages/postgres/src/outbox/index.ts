export type { InputOf, OutputOf, PayloadSchema, Task, TaskName, TaskOptions } from './task.ts';
export { type SchemaTaskOptions, task, type Tasks } from './task.ts';
export type { JobOptions } from './new-job.ts';
export {
  type Enqueued,
  type Outbox,
  PostgresOutbox,
  postgresOutbox,
  type PostgresOutboxOptions,
} from './postgres-outbox.ts';
export { type JobFilter, type JobPage, type Jobs, postgresJobs } from './postgres-jobs.ts';
export type {
  HandlerOptions,
  Job,
  JobHandler,
  JobHandlers,
  OutsideHandler,
  TransactionalHandler,
  TransactionalJob,
} from './relay/job-handler.ts';
export type { BackoffOptions } from './relay/backoff.ts';
export { createRelay, type Relay, type StopOptions } from './relay/relay.ts';
export type { JobEvent, RelayEvent } from './relay/relay-event.ts';
export type { RelayOptions, RelayProbePoint } from './relay/relay-options.ts';
export type { JobCount } from './sql/count-jobs.ts';
export type { Discarded } from './sql/discard-job.ts';
export type { JobState } from './sql/job-state.ts';
export type { JobSummary } from './sql/list-jobs.ts';
export type { JobDetails } from './sql/show-job.ts';
export { graphileOutbox, type GraphileOutboxOptions } from './graphile-outbox.ts';
export {
  type PgBossDatabase,
  type PgBossLike,
  pgBossOutbox,
  type PgBossOutboxOptions,
} from './pg-boss-outbox.ts';
