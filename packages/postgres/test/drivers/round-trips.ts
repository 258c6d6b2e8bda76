import { again, newRequest } from '@onceward/conformance/requests';
import { expect, test } from 'vitest';
import type { Admin, AtomicDriver } from './atomic-driver.ts';
import { openShop } from './open-shop.ts';

export function describeRoundTrips(driver: AtomicDriver, admin: Admin): void {
  test('are as many as documented', async () => {
    await using shop = await openShop(driver, admin, { max: 1 });
    const { wire, library } = shop;
    const count = async (act: () => Promise<unknown>): Promise<number> => {
      // The first time, connections are opened, statements are parsed, and types are asked for.
      await act();
      wire.reset();
      await act();
      return wire.roundTrips;
    };
    const paid = newRequest();
    await shop.pay(paid);
    expect({
      bare: await count(() => library.writeAlone('alone')),
      atomic: await count(() => shop.pay(newRequest())),
      replay: await count(() => shop.pay(again(paid))),
    }).toEqual(driver.roundTrips);
  });
}
