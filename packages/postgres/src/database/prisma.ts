import { callbackTransaction, type CallbackLibrary } from './callback-transaction.ts';
import type { Database, Queryable } from './database.ts';
import { lend } from './lend.ts';
import { queryRetryingConflicts } from './retry-conflicts.ts';
import { withTextParameters } from './text-parameters.ts';

/** A `PrismaClient` on PostgreSQL, or anything of that shape. You connect it, you disconnect it. */
export interface PrismaDatabase {
  $queryRawUnsafe(text: string, ...values: never): PromiseLike<unknown>;
  $transaction(callback: never, options?: never): Promise<unknown>;
}

export function prismaDatabase(prisma: PrismaDatabase): Database<object> {
  const library: CallbackLibrary<object> = {
    // How long it may take is left to the `transactionOptions` of the client.
    begin: (callback) =>
      prisma.$transaction(callback as never, { isolationLevel: 'ReadCommitted' } as never),
    queryIn: prismaSender,
    lend: (transaction) => lend(transaction, lendingRules),
  };
  return {
    durable: true,
    query: (text, values) => queryRetryingConflicts(prismaSender(prisma), text, values),
    transaction: (run, opening) => callbackTransaction(library, run, opening),
  };
}

/** Sends single statements by a client of Prisma, or by one of an interactive transaction. */
export function prismaSender(prisma: object): Queryable['query'] {
  const sender = prisma as Sender;
  return async <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> => {
    const statement = withTextParameters(text, values);
    return (await sender.$queryRawUnsafe(statement.text, ...statement.values)) as Row[];
  };
}

interface Sender {
  $queryRawUnsafe(text: string, ...values: (string | null)[]): PromiseLike<unknown>;
}

const rawMethods = ['$executeRaw', '$executeRawUnsafe', '$queryRaw', '$queryRawUnsafe'];

/** A text, a template, or what the `sql` of Prisma makes of one. */
function textOf(method: string, [query]: readonly unknown[]): string | undefined {
  if (!rawMethods.includes(method)) return undefined;
  if (typeof query === 'string') return query;
  const { strings = query } = Object(query) as { strings?: unknown };
  const [text] = [strings].flat();
  return typeof text === 'string' ? text : undefined;
}

const lendingRules = { asynchronous: rawMethods, nesting: ['$transaction'], textOf };
