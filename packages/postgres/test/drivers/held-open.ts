import { again, assertReplays, granted, newRequest, success } from '@onceward/conformance/requests';
import type { AtomicResult } from '@onceward/core/store';
import { expect, test } from 'vitest';
import { openPool } from '../open-schema.ts';
import type { Admin, AtomicDriver } from './atomic-driver.ts';
import { expectTogether } from './handler-mistakes.ts';
import { openShop } from './open-shop.ts';

export function describeHeldOpen(driver: AtomicDriver, admin: Admin): void {
  test('answers a duplicate at once, and blocks it on nothing', async () => {
    await using shop = await openShop(driver, admin);
    const request = newRequest();
    const result = await shop.pay(request, async () => {
      expect(await shop.pay(again(request))).toMatchObject({ kind: 'in-progress' });
    });
    expect(result).toEqual({ kind: 'committed' });
    expect(await shop.pay(again(request))).toMatchObject({ kind: 'completed' });
    expect(await shop.count(request.key)).toBe(1);
  });

  test('that gets no connection is executed later, or not at all', async () => {
    await using shop = await openShop(driver, admin, { max: 1 });
    const [first, second] = [newRequest(), newRequest()];
    let later: Promise<AtomicResult | 'rejected'> | undefined;
    const executed: string[] = [];
    await shop.pay(first, async () => {
      later = shop
        .pay(second, async () => void executed.push('second'))
        .catch(() => 'rejected' as const);
      await new Promise((resolve) => setTimeout(resolve, 50));
      executed.push('first');
    });
    const result = (await later) ?? 'rejected';
    expect(executed[0]).toBe('first');
    await expectTogether(shop, second, result);
    expect(await shop.count(first.key)).toBe(1);
  });

  test('that is superseded gives way, and its effect is undone', async () => {
    await using shop = await openShop(driver, admin);
    const request = newRequest();
    const result = await shop.pay(request, async () => {
      const winner = again(request);
      await shop.store.reserve(winner);
      await shop.store.complete(winner, success('winner'));
    });
    assertReplays(result, success('winner'));
    expect(await shop.count(request.key)).toBe(0);
  });

  test('takes a released record over, and loses it to whoever was faster', async () => {
    await using shop = await openShop(driver, admin);
    const { store } = shop;
    const request = newRequest();
    await store.release(granted(await store.reserve(request)).lease);
    const late = await shop.pay(again(request), async () => store.reserve(again(request)));
    expect(late).toMatchObject({ kind: 'in-progress' });
    expect(await shop.count(request.key)).toBe(0);

    const free = newRequest();
    await store.release(granted(await store.reserve(free)).lease);
    expect(await shop.pay(again(free))).toEqual({ kind: 'committed' });
    expect(await shop.count(free.key)).toBe(1);
  });

  test('that is given up ends at once, and its connection serves nobody before it has ended', async () => {
    await using shop = await openShop(driver, admin, { max: 1 });
    await using elsewhere = openPool({ max: 1 });
    await elsewhere.query('select pg_advisory_lock(1)');
    const request = newRequest();
    let late: Promise<void> | undefined;
    const givenUp = shop.store.transact(request, async (transaction) => {
      await shop.write(transaction, request.key);
      late = goOn(async () => {
        await shop.library.execute(transaction, 'select pg_advisory_xact_lock(1)::text');
        await shop.write(transaction, request.key);
      });
      return { kind: 'abandon' };
    });
    const patience = new Promise((resolve) => setTimeout(resolve, 3_000, 'is waited for'));
    expect(await Promise.race([givenUp, patience])).toEqual({ kind: 'rolled-back' });

    await elsewhere.query('select pg_advisory_unlock(1)');
    expect(await shop.pay(newRequest())).toEqual({ kind: 'committed' });
    await late;
    expect(await shop.count(request.key)).toBe(0);
    expect(await shop.store.find(request)).toBeUndefined();
  });
}

/** What a handler does that nobody waits for any more. */
async function goOn(rest: () => Promise<void>): Promise<void> {
  await rest().catch(() => undefined);
}
