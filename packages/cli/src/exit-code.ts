/** How the process ends. Scripts depend on them: never change a number. */
export const exitCode = {
  /** Done, and nothing is left to act on. */
  ok: 0,
  /** Something to act on: a finding, a refusal, a key that is not there, pending migrations. */
  attention: 1,
  /** The command line is wrong. Nothing was done. */
  usage: 2,
  /** The database, or Redis, cannot be reached or does not let us in. Nothing was done. */
  unreachable: 3,
  /** The database refused a statement, or something unexpected happened. */
  failed: 4,
  /** Ended by Ctrl-C before the work was done. It is safe to run again. */
  interrupted: 130,
} as const;

/** What a command ends with. */
export type ExitCode = (typeof exitCode)[keyof typeof exitCode];
