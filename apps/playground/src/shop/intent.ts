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

/** The intent of a call, as both APIs know it. */
export function intentOf({
  user,
  idempotency: { key },
  faults,
}: {
  readonly user: string;
  readonly idempotency: { readonly key: string };
  readonly faults: { midway(key: string): Promise<void> };
}): Intent {
  return { user, key, midway: () => faults.midway(key) };
}
