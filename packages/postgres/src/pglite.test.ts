import { PGlite, type Transaction } from '@electric-sql/pglite';
import { describeStore } from '@onceward/conformance';
import { afterAll, describe, test } from 'vitest';
import { newSchemaName } from '../test/open-schema.ts';
import { migrate } from './migrate.ts';
import { postgresStore } from './postgres-store.ts';

describe('the Postgres store over PGlite', () => {
  const pglite = new PGlite();
  afterAll(() => pglite.close());

  describeStore(
    { describe, test },
    async () => {
      const schema = newSchemaName();
      await migrate(pglite, { schema });
      await pglite.query(`create table "${schema}".effects (effect text not null)`);
      const store = postgresStore(pglite, { schema });
      return {
        store,
        elapse: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
        effects: {
          store,
          async write(transaction, effect) {
            const open = transaction as Transaction;
            await open.query(`insert into "${schema}".effects values ($1)`, [effect]);
          },
          async count(effect) {
            const { rows } = await pglite.query<{ count: number }>(
              `select count(*)::int as count from "${schema}".effects where effect = $1`,
              [effect],
            );
            return rows[0]?.count ?? 0;
          },
        },
        async [Symbol.asyncDispose]() {
          await pglite.query(`drop schema "${schema}" cascade`);
        },
      };
    },
    // PGlite lives in this process and reads its clock.
    { transactions: 'serial', clock: 'shared' },
  );
});
