import { drizzle } from 'drizzle-orm/node-postgres';
import { integer, pgTable, serial } from 'drizzle-orm/pg-core';
import type pg from 'pg';

export const payments = pgTable('payments', {
  id: serial().primaryKey(),
  cents: integer().notNull(),
});

export type Database = ReturnType<typeof openDrizzle>;

export function openDrizzle(pool: pg.Pool) {
  // Drizzle does not listen on connections it has taken: one that breaks would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return drizzle(pool);
}
