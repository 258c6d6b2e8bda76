/** Sends one statement, whose `$1`, `$2`, … are filled by `values`, and answers with its rows. */
export interface Queryable {
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/**
 * What this package needs of a driver. Each driver is one small file beside this one.
 *
 * Its own `query` commits at once.
 */
export interface Database<Transaction> extends Queryable {
  /** Whether what it commits survives the end of the process that holds it. */
  readonly durable: boolean;
  /**
   * Runs a READ COMMITTED transaction and ends it as `run` asks.
   *
   * When `run` rejects, rolls back and rejects with that very error.
   */
  transaction<Value>(
    run: (open: OpenTransaction<Transaction>) => Promise<Ending<Value>>,
  ): Promise<Ended<Value>>;
}

export interface OpenTransaction<Transaction> extends Queryable {
  /** The driver's own object, for the handler. */
  readonly handle: Transaction;
}

/** How a transaction is to end, and what to answer then. */
export interface Ending<Value> {
  /** `abandon`: roll back, and never use the connection again. */
  readonly end: 'commit' | 'roll-back' | 'abandon';
  readonly value: Value;
}

export interface Ended<Value> {
  /** `in-doubt`: COMMIT was sent, and no answer says that it was done. */
  readonly kind: 'as-asked' | 'in-doubt';
  readonly value: Value;
  /** What came instead of that answer, where there was anything. */
  readonly cause?: unknown;
}

export function commit<Value>(value: Value): Ending<Value> {
  return { end: 'commit', value };
}

export function rollBack<Value>(value: Value): Ending<Value> {
  return { end: 'roll-back', value };
}

export function abandon<Value>(value: Value): Ending<Value> {
  return { end: 'abandon', value };
}
