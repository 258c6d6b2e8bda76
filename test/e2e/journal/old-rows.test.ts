import type { JournalRow } from '@onceward/core/journal';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { readJournalRows } from '../../../packages/client/test/journal-rows/read-journal-rows.ts';
import { launchChromium } from '../../engines/chromium.ts';
import {
  eventually,
  openShop,
  openTab,
  paid,
  paymentsOf,
  recordsOf,
  sentBy,
  settledOf,
  type ShopPage,
} from './open-shop.ts';

declare const onceward: ShopPage;

/** What nobody but a later version, or nobody at all, can read. */
const unreadable: JournalRow[] = ['2:1f3a:{"v2":"what ever it is"}', '1:cfqmu1:{"id":"01a1'].map(
  (body, index) => ({ seq: 9 + index, scope: 'alice', intent: null, rev: 1, body }),
);

test('an upgraded application finds what version 1 has left, weeks later', async () => {
  const user = 'alice';
  await using shop = await openShop();
  await using browser = await launchChromium();
  const context = await browser.newContext();
  const before = await context.newPage();
  // Something of the site that uses no journal.
  await before.goto(`${shop.site.url}worker.js`);
  await writeRows(before, [...readJournalRows(1), ...unreadable]);
  await before.close();

  const page = await openTab(context, shop, { user });
  await eventually(() => settledOf(page)).toHaveLength(5);
  const told = await settledOf(page);
  const of = (amountCents: number) =>
    told.find(({ record }) => record.input.includes(`"amountCents":${amountCents}`));
  // What had ended is handed over; what was never sent is paid, under a key of today.
  expect(of(102)).toMatchObject({
    paid: { paymentId: 'a2f1c6de-0a3c-4a55-9d67-5f1b0d8a7c11', paidAt: new Date(1793534400020) },
  });
  expect(of(103)).toMatchObject({ error: 'TRPCClientError: Bob is not to be paid' });
  expect(of(107)).toMatchObject({ record: { state: 'cancelled' } });
  expect(of(105)).toMatchObject(paid(105));
  expect(of(106)).toMatchObject(paid(106));
  expect(sentBy(shop, user).requests).toHaveLength(2);

  // What was sent is too old to be sent again: the application is asked.
  const expired = { state: 'unresolved', reason: 'expired' };
  await eventually(() => recordsOf(page)).toMatchObject([
    { ...expired, meta: { title: 'Tea' } },
    { ...expired, seq: 2 },
    { ...expired, seq: 5 },
  ]);
  await page.evaluate(() =>
    onceward.journal.resolve(onceward.journal.records()[0]!.id, 'send-again'),
  );
  await eventually(async () => (await settledOf(page)).at(-1)).toMatchObject(paid(100));
  expect(await paymentsOf(shop, user)).toBe(3);

  // What cannot be read is shown, and left alone.
  expect(await page.evaluate(() => onceward.journal.quarantined())).toEqual([
    { seq: 9, rev: 1, problem: 'newer' },
    { seq: 10, rev: 1, problem: 'corrupt' },
  ]);
  const left = await readRows(page);
  expect(left.filter(({ seq }) => seq >= 9)).toEqual(unreadable);
  expect(left.map(({ seq }) => seq)).toEqual([2, 5, 9, 10]);
});

/** Makes the database as version 1 did. */
async function writeRows(page: Page, rows: readonly JournalRow[]): Promise<void> {
  await page.evaluate(
    (given) =>
      new Promise<void>((resolve, reject) => {
        const request = indexedDB.open('onceward', 1);
        request.onupgradeneeded = () => {
          const database = request.result;
          const store = database.createObjectStore('rows', { keyPath: 'seq', autoIncrement: true });
          store.createIndex('scope', 'scope');
          store.createIndex('intent', ['scope', 'intent'], { unique: true });
          database.createObjectStore('leases');
          for (const row of given) store.add(row);
        };
        request.onerror = () => reject(request.error!);
        request.onsuccess = () => {
          request.result.close();
          resolve();
        };
      }),
    rows,
  );
}

/** Reads the database as anybody could. */
async function readRows(page: Page): Promise<JournalRow[]> {
  return page.evaluate(
    () =>
      new Promise<JournalRow[]>((resolve, reject) => {
        const opening = indexedDB.open('onceward');
        opening.onerror = () => reject(opening.error!);
        opening.onsuccess = () => {
          const database = opening.result;
          const request = database.transaction('rows').objectStore('rows').getAll();
          request.onerror = () => reject(request.error!);
          request.onsuccess = () => {
            database.close();
            resolve(request.result as JournalRow[]);
          };
        };
      }),
  );
}
