import { callbackTransaction, type CallbackLibrary } from './callback-transaction.ts';
import type { Database, Queryable } from './database.ts';
import { lend } from './lend.ts';
import { keepsFiles, type PGliteDatabase } from './pglite.ts';
import { queryRetryingConflicts } from './retry-conflicts.ts';
import { withTextParameters } from './text-parameters.ts';

/** A PostgreSQL database of Drizzle over any driver, or anything of that shape. */
export interface DrizzleDatabase {
  execute(query: never): PromiseLike<unknown>;
  transaction(callback: never, config?: never): Promise<unknown>;
  /** The driver below. */
  readonly $client?: unknown;
}

export function drizzleDatabase(drizzle: DrizzleDatabase): Database<object> {
  return {
    durable: isDurable(drizzle.$client),
    query: (text, values) => queryRetryingConflicts(drizzleSender(drizzle), text, values),
    transaction: (run, opening) => callbackTransaction(libraryOf(drizzle), run, opening),
  };
}

function libraryOf(drizzle: DrizzleDatabase): CallbackLibrary<object> {
  const { $client } = drizzle;
  const lending = {
    queryIn: drizzleSender,
    lend: (transaction: object) => lend(transaction, { nesting: ['transaction'], textOf }),
  };
  if (isPostgresJs($client)) {
    return {
      ...lending,
      begin: (callback) => drizzle.transaction(callback as never),
      // Drizzle would send the same before the callback. Should the connection be gone by then,
      // postgres.js would end the process, see `callbackTransaction`.
      isolation: { text: 'set transaction isolation level read committed', values: [] },
    };
  }
  const config = { isolationLevel: 'read committed' };
  return {
    ...lending,
    begin: (callback) => drizzle.transaction(callback as never, config as never),
  };
}

function isPostgresJs(client: unknown): boolean {
  return typeof client === 'function' && 'begin' in client;
}

/** Sends single statements by a database of Drizzle, or by a transaction of it. */
export function drizzleSender(drizzle: object): Queryable['query'] {
  const sender = drizzle as Sender;
  return async <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> => {
    try {
      const result = await sender.execute(sqlOf(text, values));
      // Some drivers answer with rows, and some with an object that has them.
      return (Array.isArray(result) ? [...result] : result.rows) as Row[];
    } catch (error) {
      throw unwrapped(error);
    }
  };
}

interface Sender {
  execute(query: Sql): PromiseLike<unknown[] | { readonly rows: unknown[] }>;
}

/** What `execute` needs of the `sql` of Drizzle, which is not ours to import. */
interface Sql {
  getSQL(): Sql;
  toQuery(): { sql: string; params: (string | null)[] };
}

function sqlOf(text: string, values: readonly unknown[]): Sql {
  const statement = withTextParameters(text, values);
  const sql: Sql = {
    getSQL: () => sql,
    toQuery: () => ({ sql: statement.text, params: statement.values }),
  };
  return sql;
}

/** Drizzle puts the parameters into the message of its error: scopes, keys and answers. */
function unwrapped(error: unknown): unknown {
  const { cause } = Object(error) as { cause?: unknown };
  return error instanceof Error && 'params' in error ? (cause ?? withoutParameters()) : error;
}

function withoutParameters(): Error {
  return new Error('Drizzle could not execute a statement, and does not say why');
}

function isDurable(client: unknown): boolean {
  const pglite = Object(client) as Partial<PGliteDatabase>;
  return typeof pglite.transaction !== 'function' || keepsFiles(pglite as PGliteDatabase);
}

function textOf(method: string, [query]: readonly unknown[]): string | undefined {
  if (method !== 'execute') return undefined;
  if (typeof query === 'string') return query;
  const { queryChunks } = Object(query) as { queryChunks?: readonly { value?: unknown }[] };
  const [text] = [queryChunks?.[0]?.value].flat();
  return typeof text === 'string' ? text : undefined;
}
