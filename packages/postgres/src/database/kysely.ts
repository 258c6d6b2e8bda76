import { refusedToEnd, usedAfterEnd } from '../handler-mistakes.ts';
import { callbackTransaction, type CallbackLibrary } from './callback-transaction.ts';
import type { Database, Queryable } from './database.ts';
import type { Loan } from './lend.ts';
import { queryRetryingConflicts } from './retry-conflicts.ts';
import { withTextParameters } from './text-parameters.ts';
import { controlsTransaction } from './transaction-control.ts';

/** A `Kysely` with a PostgreSQL dialect, or anything of that shape. You open it, you destroy it. */
export interface KyselyDatabase {
  executeQuery(query: never): Promise<unknown>;
  transaction(): { execute(callback: never): Promise<unknown> };
}

export function kyselyDatabase(kysely: KyselyDatabase): Database<object> {
  const begun = () => (kysely as unknown as Kysely).transaction();
  const library: CallbackLibrary<object> = {
    begin: (callback) => begun().setIsolationLevel('read committed').execute(callback),
    queryIn: kyselySender,
    lend: lendTransaction,
  };
  return {
    durable: true,
    query: (text, values) => queryRetryingConflicts(kyselySender(kysely), text, values),
    transaction: (run, opening) => callbackTransaction(library, run, opening),
  };
}

/** Sends single statements by a Kysely, or by a transaction of it. */
export function kyselySender(kysely: object): Queryable['query'] {
  // Plugins of the user's are for the user's own tables.
  const plain = (kysely as Kysely).withoutPlugins();
  return async <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> => {
    const { text: sql, values: parameters } = withTextParameters(text, values);
    const query = { kind: 'RawNode', sqlFragments: [sql], parameters: [] };
    const queryId = { queryId: 'onceward' };
    const { rows } = await plain.executeQuery({ sql, parameters, query, queryId });
    return rows as Row[];
  };
}

/** Every query of a transaction passes its plugins, whenever and by whatever builder it is sent. */
function lendTransaction(transaction: object): Loan<object> {
  let lent = true;
  const handle = (transaction as Kysely).withPlugin({
    transformQuery({ node }) {
      if (!lent) throw usedAfterEnd();
      if (controlsTransaction(node.sqlFragments?.[0])) throw refusedToEnd();
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  return { handle, takeBack: () => void (lent = false) };
}

interface Kysely {
  executeQuery(query: CompiledQuery): Promise<{ readonly rows: unknown[] }>;
  transaction(): {
    setIsolationLevel(level: 'read committed'): {
      execute(callback: (transaction: object) => Promise<void>): Promise<unknown>;
    };
  };
  withoutPlugins(): Kysely;
  withPlugin(plugin: KyselyPlugin): Kysely;
}

interface CompiledQuery {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  readonly query: QueryNode;
  readonly queryId: { readonly queryId: string };
}

interface QueryNode {
  readonly kind: string;
  readonly sqlFragments?: readonly string[];
}

interface KyselyPlugin {
  transformQuery(query: { readonly node: QueryNode }): QueryNode;
  transformResult(answer: { readonly result: unknown }): Promise<unknown>;
}
