import { callbackTransaction, type CallbackLibrary } from './callback-transaction.ts';
import type { Database, Queryable } from './database.ts';
import { lend } from './lend.ts';
import { queryRetryingConflicts } from './retry-conflicts.ts';
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
    const { rows } = await sender.raw(sql, bindings);
    return rows as Row[];
  };
}

interface Sender {
  raw(text: string, bindings: (string | null)[]): PromiseLike<{ readonly rows: unknown[] }>;
}

/** Knex writes `?` for the next binding, which it gives a number itself, and `\?` for what is none. */
function positional({ text, values }: { text: string; values: (string | null)[] }) {
  const bindings: (string | null)[] = [];
  const literal = text.replaceAll('?', '\\?');
  // What takes no values may say `$1` in the body of a function, where it is none of ours.
  if (values.length === 0) return { text: literal, bindings };
  const sql = literal.replaceAll(/\$(\d+)/g, (_, number: string) => {
    bindings.push(values[Number(number) - 1] ?? null);
    return '?';
  });
  return { text: sql, bindings };
}

const lendingRules = {
  forbidden: ['commit', 'rollback', 'destroy'],
  nesting: ['transaction', 'savepoint'],
  textOf(method: string, [text]: readonly unknown[]): string | undefined {
    return method === 'raw' && typeof text === 'string' ? text : undefined;
  },
};
