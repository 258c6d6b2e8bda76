import { type Spread, spreadOf } from './spread.ts';

/**
 * What comes on top, as a share of what it is compared with: 0.1 is a tenth.
 *
 * Compared within each round, for the machine may be slow in one and fast in the next.
 */
export function overheadOf(samples: readonly number[], base: readonly number[]): Spread {
  return spreadOf(samples.map((sample, round) => sample / (base[round] ?? NaN) - 1));
}
