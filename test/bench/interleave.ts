/** Something to be measured: does `count` operations and says how many microseconds that took. */
export type Contestant = (count: number) => Promise<number>;

export interface InterleaveOptions {
  readonly rounds: number;
  /** How long each contestant runs in one round, about. */
  readonly sliceMs: number;
  /**
   * How long each contestant runs before anything counts, at least. Short turns need it: until code
   * has run some ten thousand times, Node.js has not compiled it, and who has more code has more of
   * that. @defaultValue 0
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
  const counts = new Map<Name, number>();
  for (const name of names) {
    counts.set(name, await calibrate(contestants[name], sliceMs, warmUpMs));
  }
  const countOf = (name: Name) => counts.get(name) ?? 1;

  const samples = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<
    Name,
    number[]
  >;
  for (let round = 0; round < rounds; round++) {
    const first = round % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      const count = countOf(name);
      samples[name].push((await contestants[name](count)) / count);
    }
    onRound?.(round + 1, rounds);
  }
  return samples;
}

/** Doubles the work until it fills a slice, several times over: only warm code is counted. */
async function calibrate(
  contestant: Contestant,
  sliceMs: number,
  warmUpMs: number,
): Promise<number> {
  let elapsedMs = 0;
  for (let count = 64; ;) {
    const ms = (await contestant(count)) / 1_000;
    elapsedMs += ms;
    if (ms < sliceMs) count *= 2;
    else if (elapsedMs >= warmUpMs) return Math.max(1, Math.round((count * sliceMs) / ms));
  }
}
