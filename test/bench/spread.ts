/** What was measured, and how much it varied. */
export interface Spread {
  readonly median: number;
  /** The tenth and the ninetieth percentile. */
  readonly low: number;
  readonly high: number;
}

export function spreadOf(samples: readonly number[]): Spread {
  const sorted = samples.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.round((sorted.length - 1) * share)] ?? NaN;
  return { median: at(0.5), low: at(0.1), high: at(0.9) };
}
