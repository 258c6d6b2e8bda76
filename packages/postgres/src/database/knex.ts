import { callbackTransaction, type CallbackLibrary } from './callback-transaction.ts';
import type { Database, Queryable } from './database.ts';
import { lend } from './lend.ts';
import { queryRetryingConflicts } from './retry-conflicts.ts';
import { sqlStateOf } from './sql-state.ts';
import { withTextParameters } from './text-parameters.ts';

/** A `knex` with the client `pg`, or anything of that shape. You open it, you destroy it. */
export interface KnexDatabase {
  raw(text: string, bindings: never): unknown;
  transaction(callback: never, config?: never): unknown;
}

export function knexDatabase(knex: KnexDatabase): Database<object> {
  const library: CallbackLibrary<object> = {
    begin: (callback) =>
      knex.transaction(
        callback as never,
        { isolationLevel: 'read committed' } as never,
      ) as PromiseLike<unknown>,
    queryIn: knexSender,
    lend: (transaction) => lend(transaction, lendingRules),
  };
  return {
    durable: true,
    query: (text, values) => queryRetryingConflicts(knexSender(knex), text, values),
    transaction: (run, opening) => callbackTransaction(library, run, opening),
  };
}

/** Sends single statements by a `knex`, or by a transaction of it. */
export function knexSender(knex: object): Queryable['query'] {
  const sender = knex as Sender;
  return async <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> => {
    const { text: sql, bindings } = positional(withTextParameters(text, values));
    try {
      const { rows } = await sender.raw(sql, bindings);
      return rows as Row[];
    } catch (error) {
      throw withoutStatement(error);
    }
  };
}

interface Sender {
  raw(text: string, bindings: (string | null)[]): PromiseLike<{ readonly rows: unknown[] }>;
}

/** Knex writes `?` for the next binding, and gives it a number itself. */
function positional({ text, values }: { text: string; values: (string | null)[] }) {
  const bindings: (string | null)[] = [];
  const sql = text.replaceAll(/\$(\d+)/g, (_, number: string) => {
    bindings.push(values[Number(number) - 1] ?? null);
    return '?';
  });
  return { text: sql, bindings };
}

/**
 * Knex puts the statement before the server's words, with every parameter filled in: scopes, keys
 * and answers. The words themselves come last.
 */
function withoutStatement(error: unknown): unknown {
  const code = sqlStateOf(error);
  if (code === undefined) return error;
  const [words] = (error as Error).message.split(' - ').slice(-1);
  return Object.assign(new Error(words), { code });
}

const lendingRules = {
  forbidden: ['commit', 'rollback', 'destroy'],
  textOf(method: string, [text]: readonly unknown[]): string | undefined {
    return method === 'raw' && typeof text === 'string' ? text : undefined;
  },
};
