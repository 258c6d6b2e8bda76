import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { killChromium, launchChromium, launchChromiumIn } from '../../engines/chromium.ts';
import { deferred } from '../../support/deferred.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
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

/** A payment is under way when its page, its tab or its browser ends. */
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

test('a click without a network survives a reload, and pays when the network is back', async () => {
  const user = 'alice';
  const context = await newProfile(browser);
  const page = await openTab(context, shop, { user });
  await page.evaluate(() => onceward.installWorker());
  await context.setOffline(true);
  await click(page, 100);
  await statesAre(page, 'queued');

  await page.reload();
  // A page that has just been loaded may try once before the browser tells it.
  await eventually(() => recordsOf(page)).toMatchObject([{ operation: 'pay' }]);
  expect(await settledOf(page)).toEqual([]);
  expect(sentBy(shop, user).requests).toEqual([]);

  await context.setOffline(false);
  await eventually(() => settledOf(page)).toMatchObject([paid(100)]);
  await statesAre(page);
  expect(sentBy(shop, user).requests).toHaveLength(1);
  expect(await paymentsOf(shop, user)).toBe(1);
});

/** What the server knows of the request when the page ends. */
const moments = [
  { moment: 'before the server has seen it', encounter: held, before: 0, name: 'unseen' },
  { moment: 'when the server has answered', encounter: heldAnswer, before: 1, name: 'answered' },
];

describe.each(moments)('a request that is under way, $moment,', ({ encounter, before, name }) => {
  test('survives a reload', async () => {
    const user = `bea ${name}`;
    const page = await openTab(await newProfile(browser), shop, { user });
    shop.site.meet(encounter);
    await click(page, 200);
    await requestsReach(shop, user, 1);
    await eventually(() => paymentsOf(shop, user)).toBe(before);

    await page.reload();
    await eventually(() => settledOf(page)).toMatchObject([paid(200)]);
    await statesAre(page);
    expect(sentBy(shop, user)).toMatchObject({ requests: [{}, {}], keys: [expect.any(String)] });
    expect(await paymentsOf(shop, user)).toBe(1);
  });

  test('survives kill -9 of the browser', async () => {
    const user = `carol ${name}`;
    using profile = temporaryFolder('profile');
    const killed = await launchChromiumIn(profile.folder);
    shop.site.meet(encounter);
    await click(await openTab(killed, shop, { user }), 300);
    await requestsReach(shop, user, 1);
    await eventually(() => paymentsOf(shop, user)).toBe(before);
    await killChromium(killed);

    await using context = await launchChromiumIn(profile.folder);
    const page = await openTab(context, shop, { user });
    await eventually(() => settledOf(page)).toMatchObject([paid(300)]);
    await statesAre(page);
    expect(sentBy(shop, user)).toMatchObject({ requests: [{}, {}], keys: [expect.any(String)] });
    expect(await paymentsOf(shop, user)).toBe(1);
  });

  test('is taken over, under its key, when the tab that sends it crashes', async () => {
    const user = `dave ${name}`;
    const context = await newProfile(browser);
    const first = await openTab(context, shop, { user });
    shop.site.meet(encounter);
    await click(first, 400, 'order 1');
    await requestsReach(shop, user, 1);
    await eventually(() => paymentsOf(shop, user)).toBe(before);
    const second = await openTab(context, shop, { user });
    await click(second, 400, 'order 1');
    await eventually(() => second.evaluate(() => onceward.insertions)).toEqual(['joined']);

    const crashed = first.waitForEvent('crash');
    const devtools = await context.newCDPSession(first);
    devtools.send('Page.crash').catch(() => {});
    await crashed;
    await eventually(() => callersOf(second)).toMatchObject([paid(400)]);
    await eventually(() => settledOf(second)).toMatchObject([paid(400)]);
    await statesAre(second);
    expect(sentBy(shop, user)).toMatchObject({ requests: [{}, {}], keys: [expect.any(String)] });
    expect(await paymentsOf(shop, user)).toBe(1);
  });
});

test('one intent in two tabs is one request, and both callers are told', async () => {
  const user = 'erin';
  const context = await newProfile(browser);
  const [first, second] = [
    await openTab(context, shop, { user }),
    await openTab(context, shop, { user }),
  ];
  const joined = deferred();
  shop.site.meet(async (pass) => {
    await joined.promise;
    return pass();
  });
  await click(first, 500, 'order 2');
  await requestsReach(shop, user, 1);
  await click(second, 500, 'order 2');
  await eventually(() => second.evaluate(() => onceward.insertions)).toEqual(['joined']);
  joined.resolve();

  for (const tab of [first, second]) {
    await eventually(() => callersOf(tab)).toMatchObject([paid(500)]);
    await statesAre(tab);
  }
  // One tab tells the handlers: the one that is at the wheel, whichever of the two that is.
  const told = async () => [...(await settledOf(first)), ...(await settledOf(second))];
  await eventually(told).toMatchObject([paid(500)]);
  expect(sentBy(shop, user).requests).toHaveLength(1);
  expect(await paymentsOf(shop, user)).toBe(1);
});
