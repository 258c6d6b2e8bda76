/** Something to be measured: does `count` operations and says how many microseconds that took. */
export type Contestant = (count: number) => Promise<number>;

export interface InterleaveOptions {
  readonly rounds: number;
  /** How long each contestant runs in one round, about. */
  readonly sliceMs: number;
  /**
   * The least that each contestant runs before anything counts, in turns as well: a process that
   * waits cools down. Short turns need it: until code has run some ten thousand times, Node.js
   * has not compiled it, and who has more code has more of that. @defaultValue 0
   */
  readonly warmUpMs?: number;
  /** Hears after each round how many are done. */
  readonly onRound?: (done: number, of: number) => void;
}

/** Microseconds per operation of each contestant, one number per round. */
export type Samples<Name extends string> = Readonly<Record<Name, readonly number[]>>;

/**
 * Measures contestants in turns, so that whatever else the machine does hits all of them alike.
 * The order rotates: nobody always runs after the same neighbour.
 */
export async function interleave<Name extends string>(
  contestants: Readonly<Record<Name, Contestant>>,
  { rounds, sliceMs, warmUpMs = 0, onRound }: InterleaveOptions,
): Promise<Samples<Name>> {
  const names = Object.keys(contestants) as Name[];
  const counts = await warmUp(contestants, { sliceMs, warmUpMs });

  const samples = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<
    Name,
    number[]
  >;
  for (let round = 0; round < rounds; round++) {
    const first = round % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      const count = counts.get(name) ?? 1;
      samples[name].push((await contestants[name](count)) / count);
    }
    onRound?.(round + 1, rounds);
  }
  return samples;
}

/** How many operations of each contestant fill a slice, once it is warm. */
async function warmUp<Name extends string>(
  contestants: Readonly<Record<Name, Contestant>>,
  { sliceMs, warmUpMs }: { sliceMs: number; warmUpMs: number },
): Promise<ReadonlyMap<Name, number>> {
  const names = Object.keys(contestants) as Name[];
  const sides = names.map((name) => ({ name, count: 64, filled: false, elapsedMs: 0 }));
  do {
    for (const side of sides) {
      const ms = (await contestants[side.name](side.count)) / 1_000;
      side.elapsedMs += ms;
      side.filled ||= ms >= sliceMs / 2;
      // What is still cold says little, so the count doubles at most.
      side.count = Math.max(1, Math.round(side.count * Math.min(2, sliceMs / ms)));
    }
  } while (sides.some(({ filled, elapsedMs }) => !filled || elapsedMs < warmUpMs));
  return new Map(sides.map(({ name, count }) => [name, count]));
}
