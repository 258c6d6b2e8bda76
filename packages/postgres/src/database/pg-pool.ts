import type { Database, Ended, Ending, Queryable } from './database.ts';
import { type StatementNames, statementNames } from './statement-names.ts';
import { queryRetryingConflicts } from './retry-conflicts.ts';

/** A `Pool` of `pg`, or anything of that shape. You open it, you close it. */
export interface PgPool<Client extends PgClient = PgClient> {
  query(statement: PgStatement): Promise<PgResult>;
  connect(): Promise<Client>;
}

/** A connection on loan from the pool; with an error, `release` destroys it. */
export interface PgClient {
  query(statement: PgStatement): Promise<PgResult>;
  release(destroy?: Error | boolean): void;
  on?(event: 'error', listener: (error: Error) => void): unknown;
  removeListener?(event: 'error', listener: (error: Error) => void): unknown;
}

export interface PgStatement {
  readonly text: string;
  values?: unknown[];
  /** Parsed once per connection under this name, and from then on only executed. */
  name?: string;
}

export interface PgResult {
  readonly rows: unknown[];
  readonly command: string;
}

export interface PgOptions {
  /**
   * Lets each connection parse a statement once: a duplicate is answered in half the time.
   *
   * Switch it off behind a pooler that deals out connections by transaction and does not know
   * prepared statements, such as PgBouncer before 1.21: statements would fail.
   *
   * @defaultValue `true`
   */
  preparedStatements?: boolean;
}

export function pgDatabase<Client extends PgClient>(
  pool: PgPool<Client>,
  { preparedStatements = true }: PgOptions = {},
): Database<Client> {
  const nameOf = preparedStatements ? statementNames() : () => undefined;
  return {
    durable: true,
    query: (text, values) => queryRetryingConflicts(sender(pool, nameOf), text, values),

    async transaction(run) {
      const client = await pool.connect();
      // A connection on loan that breaks between two statements says so by an event, and an
      // event `error` that nobody hears ends the process. The next statement will fail, too.
      client.on?.('error', ignore);
      const loan: Loan<Client> = { client, broken: undefined };
      try {
        return await runOn(loan, (handle) => run({ handle, query: sender(handle, nameOf) }));
      } finally {
        client.removeListener?.('error', ignore);
        client.release(loan.broken);
      }
    },
  };
}

interface Loan<Client> {
  readonly client: Client;
  /** Why the connection must not go back to the pool. */
  broken: Error | undefined;
}

async function runOn<Client extends PgClient, Value>(
  loan: Loan<Client>,
  run: (client: Client) => Promise<Ending<Value>>,
): Promise<Ended<Value>> {
  const { client } = loan;
  let ending: Ending<Value>;
  try {
    await client.query({ text: 'begin isolation level read committed' });
    ending = await run(client);
  } catch (error) {
    await rollBackOn(loan);
    throw error;
  }

  const { end, value } = ending;
  if (end === 'abandon') {
    // Someone may still send statements on it, and they must not meet the pool's next borrower.
    loan.broken = new Error('The transaction was abandoned');
    return { kind: 'as-asked', value };
  }
  if (end === 'roll-back') {
    await rollBackOn(loan);
    return { kind: 'as-asked', value };
  }
  return commitOn(loan, value);
}

async function commitOn<Value>(loan: Loan<PgClient>, value: Value): Promise<Ended<Value>> {
  try {
    const { command } = await loan.client.query({ text: 'commit' });
    // COMMIT of a transaction that has failed succeeds, and says that it did ROLLBACK.
    return { kind: command === 'COMMIT' ? 'as-asked' : 'in-doubt', value };
  } catch (cause) {
    loan.broken = toError(cause);
    return { kind: 'in-doubt', value, cause };
  }
}

/** Never rejects: a connection that cannot roll back is destroyed, and the server rolls back. */
async function rollBackOn(loan: Loan<PgClient>): Promise<void> {
  try {
    await loan.client.query({ text: 'rollback' });
  } catch (error) {
    loan.broken = toError(error);
  }
}

function sender(client: Pick<PgClient, 'query'>, nameOf: StatementNames): Queryable['query'] {
  return async <Row>(text: string, values?: readonly unknown[]): Promise<Row[]> => {
    const { rows } = await client.query(preparable(text, values, nameOf));
    return rows as Row[];
  };
}

/** Only what has parameters is ever sent twice; the rest is definitions. */
function preparable(
  text: string,
  values: readonly unknown[] | undefined,
  nameOf: StatementNames,
): PgStatement {
  if (!values?.length) return { text };
  const name = nameOf(text);
  return { text, values: [...values], ...(name === undefined ? {} : { name }) };
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error('The connection failed', { cause: error });
}

function ignore(): void {}
