/** Runs what nobody waits for: that it throws, or that its promise rejects, ends nothing. */
export function quietly(work: () => unknown): void {
  // There is nobody to tell.
  (async () => work())().catch(() => {});
}
