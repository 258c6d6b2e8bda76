/** What only the operator knows about the application. */
export interface DoctorOptions {
  /** The role of the application, if it is not the one that connects here. */
  readonly role: string | undefined;
  /** Connections in the pool of each process. */
  readonly pool: number | undefined;
  /** How many processes there are. */
  readonly instances: number | undefined;
  readonly leaseMs: number;
  readonly answerRetentionMs: number;
  readonly maxClockSkewMs: number;
  /** How long something may wait before that is a finding. */
  readonly patienceMs: number;
}
