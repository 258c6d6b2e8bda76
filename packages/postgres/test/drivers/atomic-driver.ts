import type { PostgresDriver } from '../../src/database/driver.ts';

/** One library, as its users would set it up. */
export interface AtomicDriver {
  open(url: string, options: OpenOptions): Promise<OpenedDriver> | OpenedDriver;
  /**
   * How often a client waits for the server: in a transaction of the user's own with one statement,
   * in a mutation with the same one, and in a replay.
   *
   * `embedded`: the database lives in this process. There is no connection to break or to count on,
   * and transactions run one after the other.
   */
  readonly roundTrips: RoundTrips | 'embedded';
}

export interface OpenOptions {
  /** Where the table `effects` is. */
  readonly schema: string;
  /** Connections. */
  readonly max: number;
  /** With every parser, plugin and transformation that users are known to set. */
  readonly customised: boolean;
}

export interface RoundTrips {
  readonly bare: number;
  readonly atomic: number;
  readonly replay: number;
}

export interface OpenedDriver extends AsyncDisposable {
  readonly driver: PostgresDriver;
  /** Writes an effect, by what the library is loved for. */
  write(transaction: unknown, effect: string): Promise<void>;
  /** Sends a text as it is, and answers with the rows. */
  execute(transaction: unknown, text: string): Promise<unknown[]>;
  /** Runs the body inside a savepoint, and rolls back to it when the body rejects. */
  savepoint(transaction: unknown, body: (nested: unknown) => Promise<void>): Promise<void>;
  /** Writes an effect in a transaction of the user's own. */
  writeAlone(effect: string): Promise<void>;
  /** Other ways of the library to end a transaction, or to let go of its connection. */
  readonly endings?: Readonly<Record<string, (transaction: unknown) => unknown>>;
}

/** Who looks at the same database from outside, not through the library. */
export interface Admin {
  readonly driver: PostgresDriver;
  query(text: string, values?: unknown[]): Promise<{ readonly rows: unknown[] }>;
}
