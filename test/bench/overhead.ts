import type { Samples } from './interleave.ts';
import { type Spread, spreadOf } from './spread.ts';

/**
 * What comes on top, as a share of what it is compared with: 0.1 is a tenth. One number for each
 * generation, by the medians of its rounds: now and then a round is twice as long as its neighbours,
 * because a heap was collected in it or the machine had something else to do.
 */
export function overheadIn<Name extends string>(
  generations: readonly Samples<Name>[],
  name: Name,
  base: Name,
): Spread {
  const medianOf = (samples: readonly number[]) => spreadOf(samples).median;
  return spreadOf(generations.map((each) => medianOf(each[name]) / medianOf(each[base]) - 1));
}
