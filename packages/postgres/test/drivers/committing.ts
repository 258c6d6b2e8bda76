import { again, assertReplays, granted, newRequest, success } from '@onceward/conformance/requests';
import type { TransactionalStore } from '@onceward/core/store';
import { expect, test } from 'vitest';
import { queryableIn } from '../../src/database/driver.ts';
import { sqlStateOf } from '../../src/database/sql-state.ts';
import { migrate, pendingMigrations } from '../../src/migrate.ts';
import { postgresStore } from '../../src/postgres-store.ts';
import { newSchemaName } from '../open-schema.ts';
import type { Admin, AtomicDriver } from './atomic-driver.ts';
import { committing, openShop } from './open-shop.ts';

export function describeCommitting(driver: AtomicDriver, admin: Admin): void {
  test('commits together with its key, and a step together with its entry', async () => {
    await using shop = await openShop(driver, admin);
    const { store } = shop;
    const request = newRequest();
    expect(await shop.pay(request)).toEqual({ kind: 'committed' });
    expect(await shop.count(request.key)).toBe(1);
    assertReplays(await store.reserve(again(request)), success());

    const stepwise = newRequest();
    const { lease } = granted(await store.reserve(stepwise));
    const step = await store.transactStep(lease, async (transaction) => {
      await shop.write(transaction, stepwise.key);
      return new Uint8Array([7]);
    });
    expect(step).toEqual({ kind: 'saved' });
    await store.release(lease);
    expect([...granted(await store.reserve(again(stepwise))).progress]).toEqual([7]);
    expect(await shop.count(stepwise.key)).toBe(1);
  });

  test('runs on tables that were made through the library, too', async () => {
    await using shop = await openShop(driver, admin);
    const schema = newSchemaName();
    const { driver: own } = shop.library;
    expect(await migrate(own, { schema })).not.toEqual([]);
    expect(await migrate(own, { schema })).toEqual([]);
    expect(await pendingMigrations(own, { schema })).toEqual([]);
    const store = postgresStore(own, { schema }) as TransactionalStore<unknown>;
    await store.verify();
    expect(await store.transact(newRequest(), async () => committing)).toEqual({
      kind: 'committed',
    });
    await admin.query(`drop schema "${schema}" cascade`);
  });

  test('runs in READ COMMITTED, which it asks for by name', async () => {
    const settings = '-c default_transaction_isolation=serializable';
    await using shop = await openShop(driver, admin, { settings });
    const embedded = driver.roundTrips === 'embedded';
    if (embedded) await admin.query(`set default_transaction_isolation to 'serializable'`);
    await shop.store.transact(newRequest(), async (transaction) => {
      const text = `select current_setting('transaction_isolation') as level`;
      expect(await shop.library.execute(transaction, text)).toEqual([{ level: 'read committed' }]);
      return { kind: 'roll-back' };
    });
    if (embedded) await admin.query(`reset default_transaction_isolation`);
  });

  test('gets by with one connection', async () => {
    await using shop = await openShop(driver, admin, { max: 1 });
    const requests = Array.from({ length: 6 }, () => newRequest());
    const results = await Promise.all(requests.map((request) => shop.pay(request)));
    expect(results.every(({ kind }) => kind === 'committed')).toBe(true);
    for (const { key } of requests) expect(await shop.count(key)).toBe(1);
  });

  test('gives its connection back in good order, however it ended', async () => {
    await using shop = await openShop(driver, admin, { max: 1 });
    const backends = new Set<unknown>();
    for (const decision of [committing, { kind: 'roll-back' } as const, committing]) {
      await shop.store.transact(newRequest(), async (transaction) => {
        const text = `select pg_backend_pid()::text as pid`;
        backends.add(JSON.stringify(await shop.library.execute(transaction, text)));
        return decision;
      });
    }
    expect(backends.size).toBe(1);
  });

  test('that is rolled back leaves neither effect nor record', async () => {
    await using shop = await openShop(driver, admin);
    const request = newRequest();
    const result = await shop.store.transact(request, async (transaction) => {
      await shop.write(transaction, request.key);
      return { kind: 'roll-back' };
    });
    expect(result).toEqual({ kind: 'rolled-back' });
    expect(await shop.count(request.key)).toBe(0);
    expect(await shop.store.find(request)).toBeUndefined();
  });

  test('that fails rejects with the handler’s own error', async () => {
    await using shop = await openShop(driver, admin);
    const request = newRequest();
    const error = new RangeError('no such account');
    const failing = shop.pay(request, () => Promise.reject(error));
    expect(await failing.catch((reason: unknown) => reason)).toBe(error);
    expect(await shop.count(request.key)).toBe(0);
    expect(await shop.pay(again(request))).toEqual({ kind: 'committed' });
  });

  test('is undone by a deferred constraint at COMMIT, and says why', async () => {
    await using shop = await openShop(driver, admin);
    await admin.query(
      `alter table "${shop.schema}".effects
         add constraint once unique (effect) deferrable initially deferred`,
    );
    const request = newRequest();
    const result = await shop.pay(request, (transaction) => shop.write(transaction, request.key));
    expect(result.kind).toBe('rolled-back');
    expect(sqlStateOf((result as { cause?: unknown }).cause)).toBe('23505');
    expect(await shop.count(request.key)).toBe(0);
    expect(await shop.store.find(request)).toBeUndefined();
  });

  test('recovers from a failed statement by a savepoint', async () => {
    await using shop = await openShop(driver, admin);
    const { library } = shop;
    const request = newRequest();
    const result = await shop.pay(request, async (transaction) => {
      const risky = library.savepoint(transaction, async (nested) => {
        await shop.write(nested, request.key);
        await library.execute(nested, 'select 1 / 0');
      });
      await risky.catch(() => undefined);
    });
    expect(result).toEqual({ kind: 'committed' });
    expect(await shop.count(request.key)).toBe(1);
  });

  test('lets others send statements through what the handler was given', async () => {
    await using shop = await openShop(driver, admin);
    const send = (decision: typeof committing) => {
      const request = newRequest();
      const sent = shop.store.transact(request, async (transaction) => {
        const text = `insert into "${shop.schema}".effects values ($1::text) returning 1`;
        expect(await queryableIn(transaction).query(text, [request.key])).toHaveLength(1);
        return decision;
      });
      return sent.then(() => shop.count(request.key));
    };
    expect(await send(committing)).toBe(1);
    expect(await send({ kind: 'roll-back' })).toBe(0);
  });
}
