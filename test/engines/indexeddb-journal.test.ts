import { describeJournalStore } from '@onceward/conformance';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from './chromium.ts';
import { type JournalPage, type JournalSite, serveJournals } from './journal-site.ts';

declare const onceward: JournalPage;

let site: JournalSite;
let browser: Browser;
let page: Page;
beforeAll(async () => {
  site = await serveJournals();
  browser = await launchChromium();
  page = await site.open(browser);
});
afterAll(async () => {
  await browser?.close();
  await site?.[Symbol.asyncDispose]();
});

describe('the IndexedDB journal', () => {
  // Each test of the suite is run where its store is: in the page, by its name.
  const runInPage = (name: string) =>
    test(name, () => page.evaluate((wanted) => onceward.runTest(wanted), name));
  describeJournalStore({ describe, test: runInPage }, () => {
    throw new Error('No store is opened outside the page');
  });

  test('nothing is opened before the first call', async () => {
    const names = await page.evaluate(async () => {
      onceward.indexedDbJournal({ name: 'untouched' });
      return (await indexedDB.databases()).map(({ name }) => name);
    });
    expect(names).not.toContain('untouched');
  });

  test('every write asks for strict durability', async () => {
    const asked = await page.evaluate(async () => {
      const durabilities: unknown[] = [];
      const { transaction } = IDBDatabase.prototype;
      IDBDatabase.prototype.transaction = function (stores, mode, options) {
        if (mode === 'readwrite') durabilities.push(options?.durability);
        return transaction.call(this, stores, mode, options);
      };
      const store = onceward.indexedDbJournal({ name: 'strict' });
      const { row } = await store.insert({ scope: 'alice', intent: null, body: 'pay' });
      const update = await store.update(row);
      await store.remove(update.row ?? row);
      IDBDatabase.prototype.transaction = transaction;
      return durabilities;
    });
    expect(asked).toEqual(['strict', 'strict', 'strict']);
  });

  test('somebody who deletes the database need not wait, and the store goes on', async () => {
    const rows = await page.evaluate(async () => {
      const store = onceward.indexedDbJournal({ name: 'deleted' });
      const draft = { scope: 'alice', intent: null, body: 'pay' };
      await store.insert(draft);
      await onceward.finished(indexedDB.deleteDatabase('deleted'));
      await store.insert(draft);
      return store.list('alice');
    });
    expect(rows).toHaveLength(1);
  });

  test('a database that is made again gives no number that a page may still know', async () => {
    const [first, second] = await page.evaluate(async () => {
      const store = onceward.indexedDbJournal({ name: 'made again' });
      const draft = { scope: 'alice', intent: null, body: 'pay' };
      const before = await store.insert(draft);
      await onceward.finished(indexedDB.deleteDatabase('made again'));
      const after = await store.insert(draft);
      return [before.row.seq, after.row.seq];
    });
    expect(second).toBeGreaterThan(first ?? NaN);
  });

  test('a connection that the browser has closed is opened again', async () => {
    const rows = await page.evaluate(async () => {
      const connections: IDBDatabase[] = [];
      const { transaction } = IDBDatabase.prototype;
      IDBDatabase.prototype.transaction = function (...args) {
        connections.push(this);
        return transaction.apply(this, args);
      };
      const store = onceward.indexedDbJournal({ name: 'closed' });
      const draft = { scope: 'alice', intent: null, body: 'pay' };
      await store.insert(draft);
      connections[0]?.close();
      await store.insert(draft);
      IDBDatabase.prototype.transaction = transaction;
      return store.list('alice');
    });
    expect(rows).toHaveLength(2);
  });

  test('a browser that lets nothing be kept rejects, and may change its mind', async () => {
    const outcome = await page.evaluate(async () => {
      const { open } = IDBFactory.prototype;
      IDBFactory.prototype.open = () => {
        throw new DOMException('denied', 'SecurityError');
      };
      const store = onceward.indexedDbJournal({ name: 'private' });
      const draft = { scope: 'alice', intent: null, body: 'pay' };
      const error = await store.insert(draft).catch(({ name }: Error) => name);
      IDBFactory.prototype.open = open;
      return { error, then: (await store.insert(draft)).kind };
    });
    expect(outcome).toEqual({ error: 'SecurityError', then: 'inserted' });
  });
});
