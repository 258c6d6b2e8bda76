import type { Queryable } from './queryable.ts';

/** How often each mutation has taken effect. */
export interface Effects {
  readonly pay: number;
  readonly book: number;
  readonly notify: number;
  readonly rename: number;
}

/** Counts the lines of a user in the ledger: one for every time that something happened. */
export async function effects(database: Queryable, user: string): Promise<Effects> {
  const { rows } = await database.query<{ mutation: keyof Effects; count: number }>(
    `select mutation, count(*)::int as count
       from ledger
      where user_name = $1::text
      group by mutation`,
    [user],
  );
  const none: Effects = { pay: 0, book: 0, notify: 0, rename: 0 };
  return { ...none, ...Object.fromEntries(rows.map(({ mutation, count }) => [mutation, count])) };
}
