import type { BatchedRecords } from '../batching/batched-records.ts';

/** Sends one statement, whose `$1`, `$2`, … are filled by `values`, and answers with its rows. */
export interface Queryable {
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** A statement and its parameters. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * What this package needs of a driver. Each driver is one small file beside this one.
 *
 * Its own `query` commits at once.
 *
 * How a value comes back is the driver's business, and the user's who configures it. Statements
 * that have something to say select one text, see `answer` in `sql/answer.ts`.
 */
export interface Database<Transaction> extends Queryable {
  /** For statements about single records, which then share commits with others; where it can. */
  readonly batches?: BatchedRecords | undefined;
  /** Whether what it commits survives the end of the process that holds it. */
  readonly durable: boolean;
  /**
   * Runs a READ COMMITTED transaction and ends it as `run` asks.
   *
   * The opening statements come before anything else: with BEGIN, in the same round trip, where the
   * driver can. When one of them fails, or `run` rejects, rolls back and rejects with that very
   * error.
   */
  transaction<Value>(
    run: RunTransaction<Transaction, Value>,
    opening?: readonly Statement[],
  ): Promise<Ended<Value>>;
}

/** What is done in a transaction, and how it is to end. */
export type RunTransaction<Transaction, Value> = (
  open: OpenTransaction<Transaction>,
) => Promise<Ending<Value>>;

export interface OpenTransaction<Transaction> extends Queryable {
  /** The driver's own object, for the handler. Works until `run` is done. */
  readonly handle: Transaction;
  /** The rows of each opening statement. */
  readonly opened: readonly unknown[][];
}

/** How a transaction is to end, and what to answer then. */
export interface Ending<Value> {
  /** `abandon`: roll back, and never use the connection again where the driver can do without. */
  readonly end: 'commit' | 'roll-back' | 'abandon';
  readonly value: Value;
  /** Come before COMMIT: with it, in the same round trip, where the driver can. */
  readonly closing?: readonly Statement[];
}

/** How a transaction ended. */
export interface Ended<Value> {
  /**
   * - `in-doubt`: COMMIT was sent, and no answer says that it was done.
   * - `refused`: a closing statement failed, and everything was rolled back.
   */
  readonly kind: 'as-asked' | 'in-doubt' | 'refused';
  readonly value: Value;
  /** What came instead of that answer, or why the statement failed, where there was anything. */
  readonly cause?: unknown;
  /** In doubt, and yet over: the transaction has ended, so whoever reads now reads the truth. */
  readonly over?: boolean;
}

/** Every closing statement must fail rather than do nothing: then nothing is committed either. */
export function commit<Value>(value: Value, closing: readonly Statement[] = []): Ending<Value> {
  return { end: 'commit', value, closing };
}

export function rollBack<Value>(value: Value): Ending<Value> {
  return { end: 'roll-back', value };
}

export function abandon<Value>(value: Value): Ending<Value> {
  return { end: 'abandon', value };
}
