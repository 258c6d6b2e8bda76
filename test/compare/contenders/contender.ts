import type { RequestListener } from 'node:http';
import type { CheckName } from '../check-names.ts';

/** A library that is to make a mutation happen once, in a server as its documentation has it. */
export interface Contender {
  /** For the heads of columns. */
  readonly name: string;
  /** The npm packages whose versions are printed. */
  readonly packages: readonly string[];
  readonly store: 'postgres' | 'redis';
  /** What its documentation states, or leaves to the application: no mistakes. */
  readonly choices: Partial<Record<CheckName, string>>;
  open(options: ServerOptions): Promise<RequestListener>;
}

export interface ServerOptions {
  /** Of the database, through a line that can be cut. */
  readonly url: string;
  /** Different for every process. */
  readonly instance: string;
  /** How long an attempt may be silent, where the library has such a notion. */
  readonly leaseMs: number;
  /** What the mutation does. Returns its answer. */
  readonly handle: (call: Call) => Promise<unknown>;
}

/** One execution. */
export interface Call {
  readonly user: string;
  /** `pay`, `refund`, or `rename`, which may be executed again. */
  readonly operation: string;
  readonly input: unknown;
}
