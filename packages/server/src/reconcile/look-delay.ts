/** How long to wait before the next look: twice as long each time, and not all at once. */
export function lookDelayMs(
  look: number,
  { firstDelayMs, maxDelayMs, random }: LookDelayOptions,
): number {
  const delayMs = Math.min(firstDelayMs * 2 ** (look - 1), maxDelayMs);
  // Never at once: a provider that has trouble should not be asked by everybody at the same time.
  return Math.ceil(delayMs / 2 + (random() * delayMs) / 2);
}

export interface LookDelayOptions {
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
  /** From 0 to 1. */
  readonly random: () => number;
}
