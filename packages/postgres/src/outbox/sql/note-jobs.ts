/** What fills the columns of the audit trail: parameters, such as `$2`. */
export interface JobNote {
  /** A table with the `id`, `key` and `task` of jobs. */
  readonly from: string;
  /** Nothing is written down if it is null: a program did it on its own. */
  readonly actor: string;
  readonly action: string;
  readonly evidence: string;
}

/** Writes down who did something to jobs: as a part of the statement that does it. */
export function noteJobs(schema: string, { from, actor, action, evidence }: JobNote): string {
  return `insert into ${schema}."audit" (job_id, key, operation, actor, action, evidence)
       select id, key, task, ${actor}::text, ${action}::text, ${evidence}::jsonb
         from ${from}
        where ${actor}::text is not null`;
}
