import { refusedToEnd, usedAfterEnd } from '../handler-mistakes.ts';
import { callbackTransaction, type CallbackLibrary } from './callback-transaction.ts';
import type { Database, Queryable } from './database.ts';
import { lend, type Loan } from './lend.ts';
import type { PgOptions } from './pg-pool.ts';
import { queryRetryingConflicts } from './retry-conflicts.ts';
import { withTextParameters } from './text-parameters.ts';
import { controlsTransaction } from './transaction-control.ts';

/** The `sql` of postgres.js, or anything of that shape. You open it, you end it. */
export interface PostgresJs {
  begin(options: never, callback: never): Promise<unknown>;
  unsafe(text: string, values?: never, options?: never): PromiseLike<unknown>;
}

export function postgresJsDatabase(
  sql: PostgresJs,
  { preparedStatements = true }: PgOptions = {},
): Database<object> {
  const library: CallbackLibrary<object> = {
    begin: (callback) => sql.begin('isolation level read committed' as never, callback as never),
    pipelines: true,
    queryIn: (transaction) => postgresJsSender(transaction, preparedStatements),
    lend: lendSql,
  };
  const query = postgresJsSender(sql, preparedStatements);
  return {
    durable: true,
    query: (text, values) => queryRetryingConflicts(query, text, values),
    transaction: (run, opening) => callbackTransaction(library, run, opening),
  };
}

/** Sends single statements by a `sql`, or by the `sql` of a transaction. */
export function postgresJsSender(sql: object, prepare = false): Queryable['query'] {
  const { unsafe } = sql as Sender;
  return async <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> => {
    const statement = withTextParameters(text, values);
    const options = { prepare: prepare && values.length > 0 };
    return [...(await unsafe(statement.text, statement.values, options))] as Row[];
  };
}

interface Sender {
  readonly unsafe: (
    text: string,
    values: (string | null)[],
    options: { prepare: boolean },
  ) => PromiseLike<Iterable<unknown>>;
}

/**
 * A query of postgres.js is sent when somebody first waits for it, which may be long after it was
 * written, or never when it is a part of another. So it is looked at when it is sent.
 *
 * That matters here more than anywhere. On a connection that is gone, postgres.js 3.4 ends the process
 * or, if the connection was opened again for somebody else, executes the query in their transaction.
 */
function lendSql(transaction: object): Loan<object> {
  let lent = true;
  const refusalOf = ({ strings }: Query): Error | undefined => {
    if (!lent) return usedAfterEnd();
    return controlsTransaction(strings?.[0]) ? refusedToEnd() : undefined;
  };
  const passOn = (result: unknown): unknown => {
    if (!isQuery(result)) return result;
    const { handler } = result;
    const guarded = (query: Query): unknown => {
      const refusal = refusalOf(query);
      return refusal ? query.reject(refusal) : handler(query);
    };
    result.handler = Object.assign(guarded, { debug: handler.debug });
    return result;
  };
  const { handle, takeBack } = lend(transaction, { nesting: ['savepoint'], passOn });
  return {
    handle,
    takeBack() {
      lent = false;
      takeBack();
    },
  };
}

function isQuery(value: unknown): value is Query {
  const { handler, reject } = Object(value) as Partial<Query>;
  return typeof handler === 'function' && typeof reject === 'function';
}

interface Query {
  handler: ((query: Query) => unknown) & { debug?: unknown };
  readonly strings?: readonly string[];
  reject(error: unknown): void;
}
