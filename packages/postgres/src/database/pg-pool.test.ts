import { again, newRequest, success } from '@onceward/conformance/requests';
import { afterAll, describe, expect, test } from 'vitest';
import { openPool, openSchema } from '../../test/open-schema.ts';
import { postgresStore } from '../postgres-store.ts';

const pool = openPool({ max: 1 });
afterAll(() => pool.end());

describe('prepared statements', () => {
  const prepared = async (schema: string): Promise<number> => {
    const { rows } = await pool.query(
      `select count(*)::int as count from pg_prepared_statements
        where name like 'onceward\\_%' and statement like '%' || $1 || '%'`,
      [schema],
    );
    return rows[0].count;
  };

  test('are parsed once per connection, however many keys there are', async () => {
    await using harness = await openSchema(pool);
    const { store, schema } = harness;
    for (let key = 0; key < 3; key++) {
      const request = newRequest();
      await store.reserve(request);
      await store.complete(request, success());
      await store.reserve(again(request));
    }
    // insert, update, select
    expect(await prepared(schema)).toBe(3);
  });

  test('can be switched off', async () => {
    await using harness = await openSchema(pool);
    const { schema } = harness;
    const store = postgresStore(pool, { schema, preparedStatements: false });
    const request = newRequest();
    await store.reserve(request);
    expect(await store.complete(request, success())).toBe('completed');
    await store.transact(newRequest(), async () => ({ kind: 'roll-back' }));
    expect(await prepared(schema)).toBe(0);
  });
});
