import type { Database, Ended, Ending, OpenTransaction } from './database.ts';
import { queryRetryingConflicts } from './retry-conflicts.ts';

/** A `Pool` of `pg`, or anything of that shape. You open it, you close it. */
export interface PgPool<Client extends PgClient = PgClient> {
  query(text: string, values: unknown[]): Promise<PgResult>;
  connect(): Promise<Client>;
}

/** A connection on loan from the pool; with an error, `release` destroys it. */
export interface PgClient {
  query(text: string, values: unknown[]): Promise<PgResult>;
  release(destroy?: Error | boolean): void;
  on?(event: 'error', listener: (error: Error) => void): unknown;
  removeListener?(event: 'error', listener: (error: Error) => void): unknown;
}

export interface PgResult {
  readonly rows: unknown[];
  readonly command: string;
}

export function pgDatabase<Client extends PgClient>(pool: PgPool<Client>): Database<Client> {
  return {
    query: (text, values) => queryRetryingConflicts(sendWith(pool), text, values),

    async transaction(run) {
      const client = await pool.connect();
      // A connection on loan that breaks between two statements says so by an event, and an
      // event `error` that nobody hears ends the process. The next statement will fail, too.
      client.on?.('error', ignore);
      const loan: Loan<Client> = { client, broken: undefined };
      try {
        return await runOn(loan, run);
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
  run: (open: OpenTransaction<Client>) => Promise<Ending<Value>>,
): Promise<Ended<Value>> {
  const { client } = loan;
  let ending: Ending<Value>;
  try {
    await client.query('begin isolation level read committed', []);
    ending = await run({ handle: client, query: sendWith(client) });
  } catch (error) {
    await rollBackOn(loan);
    throw error;
  }

  const { end, value } = ending;
  if (end === 'roll-back') {
    await rollBackOn(loan);
    return { kind: 'as-asked', value };
  }
  return { kind: await commitOn(loan), value };
}

async function commitOn(loan: Loan<PgClient>): Promise<Ended<unknown>['kind']> {
  try {
    const { command } = await loan.client.query('commit', []);
    // COMMIT of a transaction that has failed succeeds, and says that it did ROLLBACK.
    return command === 'COMMIT' ? 'as-asked' : 'in-doubt';
  } catch (error) {
    loan.broken = toError(error);
    return 'in-doubt';
  }
}

/** Never rejects: a connection that cannot roll back is destroyed, and the server rolls back. */
async function rollBackOn(loan: Loan<PgClient>): Promise<void> {
  try {
    await loan.client.query('rollback', []);
  } catch (error) {
    loan.broken = toError(error);
  }
}

function sendWith(client: Pick<PgClient, 'query'>) {
  return async <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> => {
    const { rows } = await client.query(text, [...values]);
    return rows as Row[];
  };
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error('The connection failed', { cause: error });
}

function ignore(): void {}
