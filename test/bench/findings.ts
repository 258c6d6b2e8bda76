import { type Spread, spreadOf } from './spread.ts';
import type { Samples } from './interleave.ts';

/** What a part of the benchmark found out. */
export interface Findings {
  /** By the name that the JSON has. */
  readonly figures: Readonly<Record<string, Spread>>;
  /** What was measured per second, for the plots: it says much about the machine. */
  readonly rates?: readonly Rate[];
  /** By name: why it could not be measured here. */
  readonly missing?: Readonly<Record<string, string>>;
  /** The servers that took part, with their versions: `Redis 7.0.15`. */
  readonly against?: readonly string[];
  /** Words that belong beside the figures: a table, its head first. */
  readonly beside?: readonly (readonly string[])[];
}

/** How many operations a contestant did per second, so many at a time. */
export interface Rate {
  /** What all contestants did, such as `redis.fresh`. */
  readonly race: string;
  readonly contestant: string;
  readonly concurrency: number;
  readonly perSecond: Spread;
}

/** One rate for each contestant of a race. */
export function ratesOf(
  race: string,
  concurrency: number,
  samples: Samples<string>,
): readonly Rate[] {
  return Object.entries(samples).map(([contestant, micros]) => ({
    ...{ race, contestant, concurrency },
    perSecond: spreadOf(micros.map((each) => 1_000_000 / each)),
  }));
}

/** All of them as one; of two with the same name, the later one counts. */
export function allFindings(findings: readonly Findings[]): Required<Findings> {
  return {
    figures: Object.assign({}, ...findings.map(({ figures }) => figures)) as Findings['figures'],
    rates: findings.flatMap(({ rates = [] }) => rates),
    missing: Object.assign({}, ...findings.map(({ missing }) => missing)) as Record<string, string>,
    beside: findings.flatMap(({ beside = [] }) => beside),
    against: [...new Set(findings.flatMap(({ against = [] }) => against))],
  };
}
