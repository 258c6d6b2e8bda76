/** Who wants something, under which key, and what may go wrong while it happens. */
export interface Intent {
  readonly user: string;
  readonly key: string;
  /**
   * Called at the worst moment there is: when the effect has happened, and nobody else knows yet.
   * Faults strike here.
   */
  readonly midway: () => Promise<void>;
}
