import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from '../../engines/chromium.ts';
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
import type { Encounter } from './shop-site.ts';

declare const onceward: ShopPage;

/** A payment may not be written down, or not be sent yet, or not by whoever is there now. */
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

describe('with no room left on the device', () => {
  test('the caller is told, nothing is sent, and it works when there is room again', async () => {
    const user = 'alice';
    const context = await newProfile(browser);
    const device = await deviceOf(context);
    const page = await openTab(context, shop, { user });
    await device.fill(page);
    await click(page, 100);
    const error = 'TRPCClientError: JournalError: storage';
    await eventually(() => callersOf(page)).toEqual([{ error, reason: 'QuotaExceededError' }]);
    expect(await recordsOf(page)).toEqual([]);
    expect(sentBy(shop, user).requests).toEqual([]);

    await device.empty();
    await click(page, 100);
    await eventually(() => callersOf(page)).toMatchObject([{ error }, paid(100)]);
    await statesAre(page);
    expect(sentBy(shop, user).requests).toHaveLength(1);
    expect(await paymentsOf(shop, user)).toBe(1);
  });

  test('an answer that cannot be written down reaches the caller, and is asked for again', async () => {
    const user = 'bea';
    const context = await newProfile(browser);
    const device = await deviceOf(context);
    const page = await openTab(context, shop, { user });
    const full = deferred();
    shop.site.meet(async (pass) => {
      await full.promise;
      return pass();
    });
    await click(page, 200);
    await requestsReach(shop, user, 1);
    await device.fill(page);
    full.resolve();
    await eventually(() => callersOf(page)).toMatchObject([paid(200)]);
    await statesAre(page, 'sending');

    await device.empty();
    await eventually(() => settledOf(page)).toMatchObject([paid(200)]);
    await statesAre(page);
    expect(sentBy(shop, user)).toMatchObject({ requests: [{}, {}], keys: [expect.any(String)] });
    expect(await paymentsOf(shop, user)).toBe(1);
  });
});

describe('when somebody else signs in', () => {
  test('what is pending is not sent until its user is back', async () => {
    const [user, other] = ['carol', 'carl'];
    const context = await newProfile(browser);
    const page = await openTab(context, shop, { user });
    await context.setOffline(true);
    await click(page, 300);
    await statesAre(page, 'queued');
    await page.evaluate(() => onceward.signOut());
    await context.setOffline(false);

    await page.goto(`${shop.site.url}?user=${other}`);
    await click(page, 301);
    await eventually(() => settledOf(page)).toMatchObject([paid(301)]);
    await statesAre(page);
    expect(await page.evaluate(() => onceward.journal.countOthers())).toBe(1);
    expect(sentBy(shop, user).requests).toEqual([]);
    expect(sentBy(shop, other).requests).toHaveLength(1);

    await page.goto(`${shop.site.url}?user=${user}`);
    await eventually(() => settledOf(page)).toMatchObject([paid(300)]);
    await statesAre(page);
    expect(sentBy(shop, user).requests).toHaveLength(1);
    expect([await paymentsOf(shop, user), await paymentsOf(shop, other)]).toEqual([1, 1]);
  });

  test('a tab that was left open with something pending does not hold up the others', async () => {
    const [user, other] = ['dave', 'dora'];
    const context = await newProfile(browser);
    const left = await openTab(context, shop, { user });
    shop.site.meet(refusing({ 'retry-after': '3600' }));
    await click(left, 400);
    await statesAre(left, 'waiting');

    const page = await openTab(context, shop, { user: other });
    await click(page, 401);
    await eventually(() => callersOf(page)).toMatchObject([paid(401)]);
    await statesAre(left, 'waiting');
    expect(sentBy(shop, user).requests).toHaveLength(1);
  });
});

test('after a 401 the user is signed in once, and the same keys are sent, free of charge', async () => {
  const user = 'erin';
  const page = await openTab(await newProfile(browser), shop, { user, expired: '' });
  const both = deferred();
  let refused = 0;
  const together: Encounter = async (pass) => {
    if (++refused === 2) both.resolve();
    await both.promise;
    return pass();
  };
  shop.site.meet(together, together);
  await click(page, 500);
  await click(page, 501);
  await eventually(() => callersOf(page)).toHaveLength(2);
  await statesAre(page);

  expect(await page.evaluate(() => onceward.refreshes)).toEqual([user]);
  const [before, after] = [sentBy(shop, ''), sentBy(shop, user)];
  expect(before.requests).toHaveLength(2);
  expect(after.requests).toHaveLength(2);
  expect(after.keys.toSorted()).toEqual(before.keys.toSorted());
  const attempts = (await settledOf(page)).map(({ record }) => record.attempts);
  expect(attempts).toEqual([1, 1]);
  expect(await paymentsOf(shop, user)).toBe(2);
});

describe('a server that asks to be left alone', () => {
  test('for seconds is not asked earlier', async () => {
    const user = 'frank';
    const page = await openTab(await newProfile(browser), shop, { user });
    shop.site.meet(refusing({ 'retry-after': '1' }));
    await click(page, 600);
    await eventually(() => callersOf(page)).toMatchObject([paid(600)]);
    expect(pauseOf(user)).toBeGreaterThanOrEqual(1_000);
    expect(await paymentsOf(shop, user)).toBe(1);
  });

  test('until a date is not asked earlier, by a device whose clock is five minutes ahead', async () => {
    const user = 'grete';
    const context = await newProfile(browser);
    await context.addInitScript(setAhead, 5 * 60_000);
    const page = await openTab(context, shop, { user });
    const now = Date.now();
    const [date, until] = [now, now + 2_000].map((at) => new Date(at).toUTCString());
    shop.site.meet(refusing({ date: String(date), 'retry-after': String(until) }));
    await click(page, 700);
    await eventually(() => callersOf(page)).toMatchObject([paid(700)]);
    expect(pauseOf(user)).toBeGreaterThanOrEqual(2_000);
    // Nor minutes later.
    expect(pauseOf(user)).toBeLessThan(10_000);
    expect(await paymentsOf(shop, user)).toBe(1);
  });

  /** How long a user's second request, with the same key, came after the first was answered. */
  function pauseOf(user: string): number {
    const { requests, keys } = sentBy(shop, user);
    expect(keys).toHaveLength(1);
    expect(requests).toHaveLength(2);
    const [first, second] = requests;
    return (second?.cameAt ?? NaN) - (first?.answeredAt ?? NaN);
  }
});

/** A gateway says that the server is not there. */
function refusing(headers: Readonly<Record<string, string>>): Encounter {
  return async () => ({ status: 503, headers });
}

/** A device with little room, from before a page asks how much there is. */
async function deviceOf(context: BrowserContext) {
  const devtools = await context.newCDPSession(await context.newPage());
  const { origin } = new URL(shop.site.url);
  const empty = () =>
    devtools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1_000_000 });
  await empty();
  return {
    empty,
    async fill(page: Page) {
      await devtools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1 });
      // Chromium remembers for a while how much room there was: until something does not fit.
      // The first to meet it may hear only that its transaction was aborted.
      const photo = () => page.evaluate(() => onceward.savePhoto());
      await expect.poll(photo).toBe('QuotaExceededError');
    },
  };
}

/** Runs in a page: its clock is ahead of everybody's. */
function setAhead(ms: number): void {
  const now = Date.now.bind(Date);
  globalThis.Date = class extends Date {
    static override now = () => now() + ms;
    constructor(...given: [] | [number | string]) {
      super(...((given.length > 0 ? given : [now() + ms]) as [number]));
    }
  } as DateConstructor;
}
