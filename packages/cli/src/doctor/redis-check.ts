import type { Examination } from './finding.ts';

/** One question about a Redis or Valkey, in a file of its own under `checks/`. */
export interface RedisCheck {
  readonly name: string;
  examine(redis: RedisSubject): Promise<Examination>;
}

export interface RedisSubject {
  /** A setting by its name; `undefined` where the server keeps its settings to itself. */
  setting(name: string): Promise<string | undefined>;
  /** A line of `INFO`, by its name. */
  info(section: string, name: string): Promise<string | undefined>;
}
