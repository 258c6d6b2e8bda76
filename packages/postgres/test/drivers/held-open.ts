import { again, assertReplays, granted, newRequest, success } from '@onceward/conformance/requests';
import { expect, test } from 'vitest';
import type { Admin, AtomicDriver } from './atomic-driver.ts';
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
    const late = await shop.pay(again(request), () => store.reserve(again(request)));
    expect(late).toMatchObject({ kind: 'in-progress' });
    expect(await shop.count(request.key)).toBe(0);

    const free = newRequest();
    await store.release(granted(await store.reserve(free)).lease);
    expect(await shop.pay(again(free))).toEqual({ kind: 'committed' });
    expect(await shop.count(free.key)).toBe(1);
  });

  test('that is given up ends at once, and its connection is used by nobody before it has ended', async () => {
    await using shop = await openShop(driver, admin, { max: 1 });
    const request = newRequest();
    let late: Promise<unknown> | undefined;
    const result = await shop.store.transact(request, async (transaction) => {
      await shop.write(transaction, request.key);
      late = stillRunning(shop.library.execute(transaction, 'select pg_sleep(0.3)'), async () =>
        shop.write(transaction, request.key),
      );
      return { kind: 'abandon' };
    });
    expect(result).toEqual({ kind: 'rolled-back' });
    expect(await shop.pay(newRequest())).toEqual({ kind: 'committed' });
    await late;
    expect(await shop.count(request.key)).toBe(0);
    expect(await shop.store.find(request)).toBeUndefined();
  });
}

/** What a handler goes on doing that nobody waits for any more. */
async function stillRunning(
  statement: Promise<unknown>,
  next: () => Promise<unknown>,
): Promise<void> {
  await statement.catch(() => undefined);
  await next().catch(() => undefined);
}
