import {
  again,
  assertReplays,
  granted,
  newRequest,
  opaqueRequest,
  success,
} from '@onceward/conformance/requests';
import type { IdempotencyKey } from '@onceward/core';
import type { TransactionalStore } from '@onceward/core/store';
import { describe, expect, test } from 'vitest';
import { postgresStore } from '../../src/postgres-store.ts';
import type { Admin, AtomicDriver } from './atomic-driver.ts';
import { openShop } from './open-shop.ts';

const everyByte = Uint8Array.from({ length: 256 }, (_, byte) => byte);

/** What means something to one library or the other. */
const strange = `it's "$1" ?? :name ::text \\x00 \\ ${'{}'} %s -- \n ß 日本 🧾`;

export function describeValues(driver: AtomicDriver, admin: Admin): void {
  for (const customised of [false, true]) {
    const setUp = customised ? 'with parsers and plugins of the user’s' : 'as it comes';
    describe(setUp, () => {
      test('every byte of an answer and of progress comes back', async () => {
        await using shop = await openShop(driver, admin, { customised });
        const { store } = shop;
        for (const answer of [everyByte, new Uint8Array()]) {
          const request = newRequest();
          const completion = success(answer);
          const paid = await store.transact(request, async () => ({ kind: 'commit', completion }));
          expect(paid).toEqual({ kind: 'committed' });
          assertReplays(await store.reserve(again(request)), completion);
          assertReplays(await store.transact(again(request), mustNotRun), completion);
        }
        const stepwise = newRequest();
        const { lease } = granted(await store.reserve(stepwise));
        await store.saveProgress(lease, everyByte);
        await store.transactStep(lease, async () => everyByte);
        await store.release(lease);
        const { progress, attempt } = granted(await store.reserve(again(stepwise)));
        expect([...progress]).toEqual([...everyByte, ...everyByte]);
        expect(attempt).toBe(2);
      });

      test('texts that mean something to a library are texts', async () => {
        await using shop = await openShop(driver, admin, { customised });
        const { store } = shop;
        for (const request of [
          newRequest({ scope: strange, operation: strange }),
          opaqueRequest({ scope: strange, operation: strange, key: `?-:key-$1-'"\\-0001` }),
        ]) {
          expect(await shop.pay(request)).toEqual({ kind: 'committed' });
          expect(await store.find(request)).toMatchObject({
            ...{ scope: strange, operation: strange, state: 'completed', attempt: 1 },
          });
          expect(await store.find({ ...request, scope: 'bob' })).toBeUndefined();
        }
      });

      test('times and retentions come back, for ever as well', async () => {
        await using shop = await openShop(driver, admin, { customised });
        const { store } = shop;
        const request = newRequest({ keyRetentionMs: Infinity, leaseMs: Infinity });
        await store.reserve(request);
        expect(await store.find(request)).toMatchObject({ leaseExpiresAt: Infinity });
        await store.complete(request, success('kept', Infinity));
        expect(await store.reserve(again(request))).toMatchObject({ answerExpiresAt: Infinity });

        const short = newRequest({ leaseMs: 60_000, onStaleLease: 'unknown' });
        await store.reserve(short);
        const { leaseExpiresAt = 0 } = (await store.find(short)) ?? {};
        expect(Math.abs(leaseExpiresAt - Date.now() - 60_000)).toBeLessThan(30_000);
        await store.doubt(short);
        const { unknownSince = 0 } = (await store.find(short)) ?? {};
        expect(Math.abs(unknownSince - Date.now())).toBeLessThan(30_000);
      });

      test('counts and reports are numbers', async () => {
        await using shop = await openShop(driver, admin, { customised });
        const { store } = shop;
        await shop.pay(newRequest());
        await store.reserve(newRequest({ leaseMs: 1 }));
        await new Promise((resolve) => setTimeout(resolve, 5));
        expect(await store.stats()).toEqual({
          records: { 'in-progress': 1, released: 0, completed: 1, unknown: 0 },
          staleLeases: 1,
        });
        expect(await store.sweep({ limit: 10 })).toMatchObject({ released: 1, unknown: 0 });
        await store.verify();
      });
    });
  }

  test('no error of a statement of ours names a scope, a key, an operation or an answer', async () => {
    await using shop = await openShop(driver, admin);
    const canary = 'canary-4111111111111111';
    const key = canary as IdempotencyKey;
    const request = newRequest({ scope: canary, operation: canary });
    const opaque = { ...request, key, keyTimestampMs: null };
    const completion = success(new TextEncoder().encode(canary));
    const missing = postgresStore(shop.library.driver, {
      schema: 'nowhere',
    }) as TransactionalStore<unknown>;
    const failures: Promise<unknown>[] = [request, opaque].flatMap((one) => [
      Promise.resolve(missing.reserve(one)),
      Promise.resolve(missing.complete(one, completion)),
      missing.transact(one, mustNotRun),
      Promise.resolve(shop.store.reserve({ ...one, scope: `${canary}\0` })),
      shop.store.transact({ ...one, scope: `${canary}\0` }, async () => ({
        kind: 'commit',
        completion,
      })),
    ]);
    const hex = Buffer.from(canary).toString('hex');
    for (const failure of await Promise.allSettled(failures)) {
      expect(failure.status).toBe('rejected');
      const { reason } = failure as PromiseRejectedResult;
      const words = `${reason.message} ${reason.cause?.message}`;
      expect(words).not.toContain(canary);
      expect(words).not.toContain(hex);
    }
  });
}

function mustNotRun(): never {
  return expect.unreachable('the handler must not run');
}
