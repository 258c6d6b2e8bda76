/** What comes on top, as a share of what it is compared with: 0.1 is a tenth. */
export interface Overhead {
  readonly median: number;
  /** The tenth and the ninetieth percentile of the rounds. */
  readonly low: number;
  readonly high: number;
}

/** Compares within each round, for the machine may be slow in one and fast in the next. */
export function overheadOf(samples: readonly number[], base: readonly number[]): Overhead {
  const shares = samples
    .map((sample, round) => sample / (base[round] ?? NaN) - 1)
    .sort((one, other) => one - other);
  const at = (share: number) => shares[Math.round((shares.length - 1) * share)] ?? NaN;
  return { median: at(0.5), low: at(0.1), high: at(0.9) };
}
