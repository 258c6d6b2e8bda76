import { type Spread, spreadOf } from './spread.ts';

/**
 * How many times as many operations as the base, given the microseconds of each.
 *
 * Compared within each round, for the machine may be slow in one and fast in the next.
 */
export function timesAsMany(micros: readonly number[], base: readonly number[]): Spread {
  return spreadOf(micros.map((each, round) => (base[round] ?? NaN) / each));
}
