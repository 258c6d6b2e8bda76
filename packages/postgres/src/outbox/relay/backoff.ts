/** How long a job that failed waits. */
export interface BackoffOptions {
  /** The longest pause after the first failure; it doubles with each one. */
  readonly firstMs: number;
  /** The longest pause at all. */
  readonly maxMs: number;
}

/** Full jitter: anywhere between zero and a ceiling that doubles with each failure. */
export function backoffMs(
  failures: number,
  { firstMs, maxMs }: BackoffOptions,
  random: () => number,
): number {
  const ceilingMs = Math.min(maxMs, firstMs * 2 ** (failures - 1));
  return Math.floor(random() * ceilingMs);
}
