import type { Queryable } from '../database/database.ts';

/**
 * Sends statements through a transaction that somebody else has begun and will end.
 *
 * By shape: a client of `pg` and a transaction of PGlite take text and values, and answer with rows;
 * something of your own may answer with the rows alone.
 */
export function queryableIn(transaction: unknown): Queryable {
  const sender = transaction as Sender | null | undefined;
  if (typeof sender?.query !== 'function') {
    throw new TypeError('Expected `tx` to be an open transaction of the driver');
  }
  return {
    async query<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
      const answer = await sender.query(text, [...values]);
      return (Array.isArray(answer) ? answer : answer.rows) as Row[];
    },
  };
}

interface Sender {
  query(text: string, values: unknown[]): Promise<unknown[] | { readonly rows: unknown[] }>;
}
