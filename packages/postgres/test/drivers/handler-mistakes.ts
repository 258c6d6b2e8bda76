import { again, granted, newRequest } from '@onceward/conformance/requests';
import type { AtomicResult, ReserveRequest } from '@onceward/core/store';
import { describe, expect, test } from 'vitest';
import type { Admin, AtomicDriver } from './atomic-driver.ts';
import { committing, openShop, type Shop } from './open-shop.ts';

export function describeHandlerMistakes(driver: AtomicDriver, admin: Admin): void {
  for (const text of ['commit', 'ROLLBACK', 'begin', ' end;', 'abort']) {
    test(`and sends ${text.trim()} is stopped before it is sent`, async () => {
      await using shop = await openShop(driver, admin);
      const request = newRequest();
      const ended = shop.pay(request, (transaction) => shop.library.execute(transaction, text));
      await expect(ended).rejects.toThrow(/cannot begin, commit or roll back/);
      await expectNothing(shop, request);

      // Nothing happened to the transaction: a handler that goes on can.
      const goesOn = shop.pay(again(request), (transaction) =>
        shop.library.execute(transaction, text).catch(() => undefined),
      );
      expect(await goesOn).toEqual({ kind: 'committed' });
      expect(await shop.count(request.key)).toBe(1);
    });
  }

  test('and ends the transaction in another way is stopped as well', async () => {
    await using shop = await openShop(driver, admin);
    for (const [name, end] of Object.entries(shop.library.endings ?? {})) {
      const request = newRequest();
      const ended = shop.pay(request, async (transaction) => end(transaction));
      await expect(ended, name).rejects.toThrow(/cannot begin, commit or roll back/);
      await expectNothing(shop, request);
    }
  });

  test('and hides a COMMIT does not complete its key, and is told', async () => {
    await using shop = await openShop(driver, admin);
    const request = newRequest();
    const hidden = '/* so that nobody sees it */ commit';
    const result = await shop.pay(request, (transaction) =>
      shop.library.execute(transaction, hidden),
    );
    expect(result).toMatchObject({ kind: 'rolled-back' });
    expect(result).toHaveProperty('cause.message', expect.stringMatching(/ended the transaction/));
    expect(await shop.store.find(request)).toBeUndefined();
    // The pool is none the worse for it.
    expect(await shop.pay(newRequest())).toEqual({ kind: 'committed' });
  });

  test('and swallows the error of a statement commits nothing, and is told', async () => {
    await using shop = await openShop(driver, admin);
    const request = newRequest();
    const result = await shop.pay(request, (transaction) =>
      shop.library.execute(transaction, 'select 1 / 0').catch(() => undefined),
    );
    expect(result).toMatchObject({ kind: 'rolled-back' });
    expect(result).toHaveProperty('cause.message', expect.stringMatching(/error was swallowed/));
    await expectNothing(shop, request);
  });

  test('and waits for none of its statements has all of them, or none', async () => {
    await using shop = await openShop(driver, admin);
    for (const last of ['select 1', 'select 1 / 0']) {
      const request = newRequest();
      let floating: Promise<unknown> = Promise.resolve();
      const result = await shop.store.transact(request, async (transaction) => {
        floating = Promise.allSettled([
          shop.write(transaction, request.key),
          shop.library.execute(transaction, last),
        ]);
        return committing;
      });
      await floating;
      await expectTogether(shop, request, result);
    }
  });

  test('and fails while a part of it goes on leaves nothing behind', async () => {
    await using shop = await openShop(driver, admin);
    const request = newRequest();
    let part: Promise<unknown> = Promise.resolve();
    const failing = shop.pay(request, (transaction) => {
      part = writeUntilRefused(() => shop.write(transaction, request.key));
      return Promise.all([part, Promise.reject(new RangeError('declined'))]);
    });
    await expect(failing).rejects.toThrow('declined');
    await part;
    await expectNothing(shop, request);
  });

  test('and writes after it has ended is refused', async () => {
    await using shop = await openShop(driver, admin);
    for (const decision of [committing, { kind: 'roll-back' } as const]) {
      const request = newRequest();
      let kept: unknown;
      let nested: unknown;
      await shop.store.transact(request, async (transaction) => {
        kept = transaction;
        await shop.library.savepoint(transaction, async (inner) => void (nested = inner));
        await shop.write(transaction, request.key);
        return decision;
      });
      const before = await shop.count(request.key);
      const tooLate = async () => shop.write(kept, request.key);
      const tooLateAsText = async () => shop.library.execute(kept, 'select 1');
      await expect(tooLate()).rejects.toThrow(/used after the handler had ended/);
      await expect(tooLateAsText()).rejects.toThrow(/used after the handler had ended/);
      const fromInside = async () => shop.write(nested, request.key);
      await expect(fromInside()).rejects.toThrow(/used after the handler had ended/);
      expect(await shop.count(request.key)).toBe(before);
    }
  });

  describe('in a step', () => {
    test('loses the step, and is told', async () => {
      await using shop = await openShop(driver, admin);
      const { store, library } = shop;
      const request = newRequest();
      const { lease } = granted(await store.reserve(request));
      const takeStep = (text: string) =>
        store.transactStep(lease, async (transaction) => {
          await shop.write(transaction, request.key);
          await library.execute(transaction, text).catch(() => undefined);
          return new Uint8Array([1]);
        });
      const swallowed = await takeStep('select 1 / 0');
      expect(swallowed).toMatchObject({ kind: 'rolled-back' });
      expect(swallowed).toHaveProperty('cause.message', expect.stringMatching(/was swallowed/));
      expect(await shop.count(request.key)).toBe(0);
      const hidden = await takeStep('/* */ commit');
      expect(hidden).toHaveProperty('cause.message', expect.stringMatching(/ended the transac/));
      await store.release(lease);
      expect(granted(await store.reserve(again(request))).progress).toHaveLength(0);
    });
  });
}

async function writeUntilRefused(write: () => Promise<void>): Promise<void> {
  try {
    for (;;) await write();
  } catch {
    // That is the end of it.
  }
}

async function expectNothing(shop: Shop, request: ReserveRequest): Promise<void> {
  expect(await shop.count(request.key)).toBe(0);
  expect(await shop.store.find(request)).toBeUndefined();
}

/** Whatever was answered is what happened, to the key and to the effect alike. */
export async function expectTogether(
  shop: Shop,
  { key, ...rest }: ReserveRequest,
  result: AtomicResult | 'rejected',
): Promise<void> {
  const completed = (await shop.store.find({ key, ...rest }))?.state === 'completed';
  const effects = await shop.count(key);
  expect({ completed, effects }).toEqual(
    completed ? { completed, effects: 1 } : { completed, effects: 0 },
  );
  if (result === 'rejected') return;
  expect(result.kind).toBe(completed ? 'committed' : 'rolled-back');
}
