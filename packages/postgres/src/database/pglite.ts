import { callbackTransaction, type CallbackLibrary } from './callback-transaction.ts';
import type { Database, Queryable } from './database.ts';
import { lend } from './lend.ts';
import { queryRetryingConflicts } from './retry-conflicts.ts';
import { withTextParameters } from './text-parameters.ts';

/** A `PGlite`, or anything of that shape: one connection, so one transaction at a time. */
export interface PGliteDatabase {
  query(text: string, values: unknown[]): Promise<PGliteResult>;
  transaction<Value>(
    callback: (transaction: PGliteTransaction) => Promise<Value>,
  ): Promise<Value | undefined>;
  /** Where it keeps its files; absent or `memory://…` when it keeps none. */
  readonly dataDir?: string | undefined;
}

/** A transaction of PGlite, by its shape. */
export interface PGliteTransaction {
  query(text: string, values: unknown[]): Promise<PGliteResult>;
  rollback(): Promise<void>;
}

/** The part of a result of PGlite that is read. */
export interface PGliteResult {
  readonly rows: unknown[];
}

export function pgliteDatabase(pglite: PGliteDatabase): Database<PGliteTransaction> {
  const library: CallbackLibrary<PGliteTransaction> = {
    begin: (callback) => pglite.transaction(callback),
    isolation: { text: 'set transaction isolation level read committed', values: [] },
    queryIn: pgliteSender,
    lend: (transaction) => lend(transaction, lendingRules),
  };
  return {
    durable: keepsFiles(pglite),
    query: (text, values) => queryRetryingConflicts(pgliteSender(pglite), text, values),
    transaction: (run, opening) => callbackTransaction(library, run, opening),
  };
}

export function keepsFiles({ dataDir = '' }: PGliteDatabase): boolean {
  return dataDir !== '' && !dataDir.startsWith('memory://');
}

/** Sends single statements by a PGlite, or by a transaction of it. */
export function pgliteSender(client: Pick<PGliteTransaction, 'query'>): Queryable['query'] {
  return async <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> => {
    const statement = withTextParameters(text, values);
    const { rows } = await client.query(statement.text, statement.values);
    return rows as Row[];
  };
}

const lendingRules = {
  forbidden: ['rollback'],
  asynchronous: ['query', 'exec', 'sql', 'rollback'],
  textOf(method: string, [text]: readonly unknown[]): string | undefined {
    if (method === 'sql') return (text as TemplateStringsArray | undefined)?.[0];
    return (method === 'query' || method === 'exec') && typeof text === 'string' ? text : undefined;
  },
};
