import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../../engines/chromium.ts';
import { dispatchSync } from '../../engines/dispatch-sync.ts';
import { deferred } from '../../support/deferred.ts';
import {
  callersOf,
  click,
  eventually,
  newProfile,
  openShop,
  openTab,
  paid,
  paymentsOf,
  recordsOf,
  requestsReach,
  sentBy,
  settledOf,
  type Shop,
  type ShopPage,
  statesAre,
} from './open-shop.ts';
import { held, heldAnswer } from './shop-site.ts';

declare const onceward: ShopPage;
// What a page has asked the browser for, also in one that was built without Background Sync.
declare global {
  var syncTags: string[];
}

/** A service worker delivers what pages have left. */
let shop: Shop;
let browser: Browser;
beforeAll(async () => {
  shop = await openShop();
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await shop?.[Symbol.asyncDispose]();
});

test('a click without a network is paid when it is back, although every tab is closed', async () => {
  const user = 'alice';
  const { context, page, wake } = await openProfile(user);
  await goOffline(context);
  await click(page, 100);
  await statesAre(page, 'queued');
  await eventually(() => page.evaluate(() => syncTags)).toEqual(['onceward']);
  const [{ key } = { key: '' }] = await recordsOf(page);
  await page.close();
  await goOnline(context);
  await wake();
  await eventually(() => paymentsOf(shop, user)).toBe(1);
  expect(sentBy(shop, user)).toMatchObject({
    requests: [{ from: 'service worker' }],
    keys: [`"${key}"`],
  });

  const next = await openTab(context, shop, { user });
  await eventually(() => settledOf(next)).toMatchObject([paid(100)]);
  await statesAre(next);
  expect(sentBy(shop, user).requests).toHaveLength(1);
  expect(await paymentsOf(shop, user)).toBe(1);
});

test.each([
  { moment: 'before the server has seen it', encounter: held, before: 0, user: 'bea' },
  { moment: 'when the server has answered', encounter: heldAnswer, before: 1, user: 'bob' },
])(
  'a request that is under way $moment goes on when its tab is closed',
  async ({ encounter, before, user }) => {
    const { context, page, wake } = await openProfile(user);
    shop.site.meet(encounter);
    await click(page, 200);
    await requestsReach(shop, user, 1);
    await eventually(() => paymentsOf(shop, user)).toBe(before);
    await page.close();

    await wake();
    await requestsReach(shop, user, 2);
    await eventually(() => paymentsOf(shop, user)).toBe(1);
    const next = await openTab(context, shop, { user });
    await eventually(() => settledOf(next)).toMatchObject([paid(200)]);
    await statesAre(next);
    expect(sentBy(shop, user)).toMatchObject({
      requests: [{ from: 'page' }, { from: 'service worker' }],
      keys: [expect.any(String)],
    });
    expect(await paymentsOf(shop, user)).toBe(1);
  },
);

test('while a tab delivers, the worker leaves it to it', async () => {
  const user = 'carol';
  const { page, wake } = await openProfile(user);
  const woken = deferred();
  shop.site.meet(async (pass) => {
    await woken.promise;
    return pass();
  });
  await click(page, 300);
  await requestsReach(shop, user, 1);
  await wake();
  // A browser with Background Sync may have woken it as well.
  await eventually(async () => (await lockRequests(page)).pending).toBeGreaterThan(0);
  woken.resolve();
  await eventually(() => callersOf(page)).toMatchObject([paid(300)]);
  await eventually(() => settledOf(page)).toMatchObject([paid(300)]);
  await statesAre(page);
  // The worker is done, too.
  await eventually(() => lockRequests(page)).toEqual({ held: 0, pending: 0 });
  expect(sentBy(shop, user).requests).toHaveLength(1);
  expect(await paymentsOf(shop, user)).toBe(1);
});

test('a tab and the worker that both deliver make one payment, and the caller is told', async () => {
  const user = 'dave';
  // A tab without Web Locks does not know that somebody else delivers.
  const { page, wake } = await openProfile(user, { locks: false });
  shop.site.meet(heldAnswer);
  await click(page, 400);
  await requestsReach(shop, user, 1);
  await wake();
  await eventually(() => callersOf(page)).toMatchObject([paid(400)]);
  await eventually(() => settledOf(page)).toMatchObject([paid(400)]);
  await statesAre(page);
  expect(sentBy(shop, user)).toMatchObject({
    requests: [{ from: 'page' }, { from: 'service worker' }],
    keys: [expect.any(String)],
  });
  expect(await paymentsOf(shop, user)).toBe(1);
});

test('what a user has left who has signed out is not sent', async () => {
  const user = 'erin';
  const { context, page, wake } = await openProfile(user);
  await goOffline(context);
  await click(page, 500);
  await statesAre(page, 'queued');
  await page.evaluate(() => onceward.signOut());
  await page.close();
  await goOnline(context);
  await wake();

  // The next event finds that the one before has done nothing.
  const next = await openTab(context, shop, { user });
  await eventually(() => settledOf(next)).toMatchObject([paid(500)]);
  expect(sentBy(shop, user).requests).toMatchObject([{ from: 'page' }]);
});

/** A profile with a tab of the shop, its service worker, and a way to wake that. */
async function openProfile(user: string, { locks = true } = {}) {
  const context = await newProfile(browser);
  await context.addInitScript(watchSyncs);
  if (!locks) await context.addInitScript(removeLocks);
  // No page of the shop: it has the developer tools.
  const blank = await context.newPage();
  const page = await openTab(context, shop, { user });
  await page.evaluate(() => onceward.installSyncWorker());
  const { origin } = new URL(shop.site.url);
  return {
    context,
    page,
    wake: () => dispatchSync(blank, { origin, tag: 'onceward' }),
  };
}

/** A tab that is closed gets out of what it was told about the network, and sends one last time. */
async function goOffline(context: BrowserContext): Promise<void> {
  shop.site.reachable = false;
  await context.setOffline(true);
}

async function goOnline(context: BrowserContext): Promise<void> {
  shop.site.reachable = true;
  await context.setOffline(false);
}

/** Who leads, and who would like to. */
function lockRequests(page: Page) {
  return page.evaluate(async () => {
    const { held = [], pending = [] } = await navigator.locks.query();
    return { held: held.length, pending: pending.length };
  });
}

/** Runs in a page: notes what it asks for. */
function watchSyncs(): void {
  globalThis.syncTags = [];
  const { SyncManager } = globalThis as unknown as {
    SyncManager?: { prototype: { register(tag: string): Promise<void> } };
  };
  if (!SyncManager) return;
  const { register } = SyncManager.prototype;
  SyncManager.prototype.register = function (tag) {
    syncTags.push(tag);
    return register.call(this, tag);
  };
}

/** Runs in a page: as in one that was not loaded over HTTPS. */
function removeLocks(): void {
  Object.defineProperty(Navigator.prototype, 'locks', { value: undefined });
}
