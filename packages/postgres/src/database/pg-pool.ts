import { pgBatches } from '../batching/pg-batches.ts';
import { borrowClient, giveBack } from './borrow-client.ts';
import type { Database, Ended, Ending, Queryable, RunTransaction, Statement } from './database.ts';
import { lend } from './lend.ts';
import { canFly, fly, type FlightAnswer, type FlightStatement } from './pg-flight.ts';
import { queryRetryingConflicts } from './retry-conflicts.ts';
import { sqlStateOf } from './sql-state.ts';
import { type StatementNames, statementNames } from './statement-names.ts';

/** A `Pool` of `pg`, or anything of that shape. You open it, you close it. */
export interface PgPool<Client extends PgClient = PgClient> {
  readonly options?: object;
  /** How many connections nobody has borrowed. */
  readonly idleCount?: number;
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

/** A statement as pg takes it. */
export interface PgStatement {
  readonly text: string;
  values?: unknown[];
  /** Parsed once per connection under this name, and from then on only executed. */
  name?: string;
}

/** The part of a result of pg that is read. */
export interface PgResult {
  readonly rows: unknown[];
  readonly command: string;
}

/** How a pool of pg is used. */
export interface PgOptions {
  /**
   * Lets each connection of `pg` or postgres.js parse a statement once: a duplicate is answered in
   * half the time.
   *
   * Switch it off behind a pooler that deals out connections by transaction and does not know
   * prepared statements, such as PgBouncer before 1.21: statements would fail.
   *
   * A connection of `pg` keeps 60 of them at most. Without `batching`, or on a pool with `pipeline`,
   * there is no such limit, and each day's partition brings about ten: let the pool replace its
   * connections (`maxLifetimeSeconds`).
   *
   * @defaultValue `true`
   */
  preparedStatements?: boolean;
  /**
   * With `pg`: lets statements about different records share a commit when many come at once. Each is
   * as durable as before, and what comes alone is sent alone, without waiting.
   *
   * @defaultValue `true`
   */
  batching?: boolean;
}

/**
 * A bare transaction of the user's own is BEGIN, their statements and COMMIT. So is this one: the
 * opening flies with BEGIN, and the closing with COMMIT.
 */
export function pgDatabase<Client extends PgClient>(
  pool: PgPool<Client>,
  { preparedStatements = true, batching = true }: PgOptions = {},
): Database<Client> {
  const nameOf = preparedStatements ? statementNames() : unnamed;
  // Beside batches, only what is rare is sent alone: nothing limits what a connection keeps of it.
  // But a client that pipelines by itself cannot fly, and sends everything alone.
  const namesAlone = batching && !isPipelined(pool.options ?? {}) ? unnamed : nameOf;
  const sendAlone = pgSender(pool, namesAlone);
  const query: Queryable['query'] = (text, values) =>
    queryRetryingConflicts(sendAlone, text, values);
  return {
    durable: true,
    query,
    batches: batching ? pgBatches(pool, { query, nameOf }) : undefined,

    async transaction(run, opening = []) {
      const client = await borrowClient(pool);
      const borrowed: Borrowed<Client> = { client, nameOf, broken: undefined };
      try {
        return await runOn(borrowed, run, opening);
      } finally {
        giveBack(client, borrowed.broken);
      }
    },
  };
}

/** Sends single statements by a pool, or by a client inside of a transaction. */
export function pgSender(
  client: Pick<PgClient, 'query'>,
  nameOf: StatementNames = unnamed,
): Queryable['query'] {
  return async <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> => {
    const { rows } = await client.query(preparable({ text, values }, nameOf));
    return rows as Row[];
  };
}

interface Borrowed<Client> {
  readonly client: Client;
  readonly nameOf: StatementNames;
  /** Why the connection must not go back to the pool. */
  broken: Error | undefined;
}

async function runOn<Client extends PgClient, Value>(
  borrowed: Borrowed<Client>,
  run: RunTransaction<Client, Value>,
  opening: readonly Statement[],
): Promise<Ended<Value>> {
  const { client } = borrowed;
  const loan = lend(client, lendingRules);
  let ending: Ending<Value>;
  try {
    const { done, failure } = await sendTogether(borrowed, [BEGIN, ...opening]);
    if (failure) throw failure.error;
    const opened = done.slice(1).map(({ rows }) => rows);
    ending = await run({ handle: loan.handle, query: pgSender(client), opened });
  } catch (error) {
    // First of all: what another part of the handler sends now would come after ROLLBACK.
    loan.takeBack();
    await rollBackOn(borrowed);
    throw error;
  }

  loan.takeBack();
  const { end, value } = ending;
  if (end === 'abandon') {
    // Someone may still send statements on it, and they must not meet the pool's next borrower.
    borrowed.broken = new Error('The transaction was abandoned');
    return { kind: 'as-asked', value };
  }
  if (end === 'roll-back') {
    await rollBackOn(borrowed);
    return { kind: 'as-asked', value };
  }
  return commitOn(borrowed, ending);
}

async function commitOn<Value>(
  borrowed: Borrowed<PgClient>,
  { value, closing = [] }: Ending<Value>,
): Promise<Ended<Value>> {
  const { done, failure } = await sendTogether(borrowed, [...closing, COMMIT]);
  if (!failure) {
    // COMMIT of a transaction that has failed succeeds, and says that it did ROLLBACK.
    const committed = done.at(-1)?.command === 'COMMIT';
    return committed ? { kind: 'as-asked', value } : { kind: 'in-doubt', value, over: true };
  }

  const { error: cause, sent } = failure;
  // Only the server knows which statement failed; without its word, COMMIT may have been done.
  const refused = done.length < closing.length && sqlStateOf(cause) !== undefined;
  if (refused || !sent) {
    await rollBackOn(borrowed);
    return { kind: 'refused', value, cause };
  }
  borrowed.broken = toError(cause);
  return { kind: 'in-doubt', value, cause };
}

/** Never rejects: a connection that cannot roll back is destroyed, and the server rolls back. */
async function rollBackOn(borrowed: Borrowed<PgClient>): Promise<void> {
  try {
    await borrowed.client.query({ text: 'rollback' });
  } catch (error) {
    borrowed.broken = toError(error);
  }
}

/** Sends statements in one round trip if the client can, in one after the other if not. */
async function sendTogether(
  { client, nameOf }: Borrowed<PgClient>,
  statements: readonly Statement[],
): Promise<FlightAnswer> {
  if (canFly(client)) return fly(client, statements.map(nameWith(nameOf)));
  const done: PgResult[] = [];
  const send = (statement: Statement) => client.query(preparable(statement, nameOf));
  // A client that pipelines by itself sends what it is given without waiting for answers.
  const sent = isPipelined(client) ? statements.map(send) : [];
  for (const answer of sent) answer.catch(ignore);
  try {
    for (const [at, statement] of statements.entries()) {
      done.push(await (sent[at] ?? send(statement)));
    }
    return { done };
  } catch (error) {
    return { done, failure: { error, sent: true } };
  }
}

function isPipelined(client: object): boolean {
  return (client as { pipeline?: unknown }).pipeline === true;
}

/** Only what has parameters is ever sent twice; the rest is definitions. */
function preparable({ text, values }: Statement, nameOf: StatementNames): PgStatement {
  if (values.length === 0) return { text };
  const name = nameOf(text);
  return { text, values: [...values], ...(name === undefined ? {} : { name }) };
}

function nameWith(nameOf: StatementNames): (statement: Statement) => FlightStatement {
  return ({ text, values }) => ({ text, values, name: nameOf(text) });
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error('The connection failed', { cause: error });
}

function ignore(): void {}

function unnamed(): undefined {}

const BEGIN: Statement = { text: 'begin isolation level read committed', values: [] };
const COMMIT: Statement = { text: 'commit', values: [] };

const lendingRules = {
  forbidden: ['release', 'end'],
  asynchronous: ['query'],
  textOf(method: string, [statement]: readonly unknown[]): string | undefined {
    if (method !== 'query') return undefined;
    const text =
      typeof statement === 'string' ? statement : (Object(statement) as PgStatement).text;
    return typeof text === 'string' ? text : undefined;
  },
};
