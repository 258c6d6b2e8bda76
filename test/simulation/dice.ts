import { seededRandom } from '../support/seeded-random.ts';

/** All randomness of a simulated world: the same throws for the same seed. */
export interface Dice {
  /** From 0 to below 1. */
  random(this: void): number;
  /** True with this probability. */
  chance(probability: number): boolean;
  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number;
  pick<T>(from: readonly T[]): T;
  /** For keys. */
  bytes(this: void, into: Uint8Array): Uint8Array;
}

export function diceOf(seed: number): Dice {
  const random = seededRandom(Math.imul(seed + 1, 0x9e3779b1));
  // The first throws of neighbouring seeds are alike.
  for (let warmUp = 0; warmUp < 10; warmUp++) random();
  const between = (least: number, most: number) =>
    least + Math.floor(random() * (most - least + 1));
  return {
    random,
    chance: (probability) => random() < probability,
    between,
    pick: (from) => from[between(0, from.length - 1)] as (typeof from)[number],
    bytes(into) {
      for (let at = 0; at < into.length; at++) into[at] = between(0, 255);
      return into;
    },
  };
}
