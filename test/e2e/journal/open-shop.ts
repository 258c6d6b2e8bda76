import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { effectsOf } from '../playground/send.ts';
import { openPlace, type Playground, startPlayground } from '../playground/start-playground.ts';
import type * as shopPage from './shop-page.ts';
import { openShopSite, type ShopSite } from './shop-site.ts';

/** The global of the page. */
export type ShopPage = typeof shopPage;
declare const onceward: ShopPage;

/** A playground, and a site before it. */
export interface Shop extends AsyncDisposable {
  readonly playground: Playground;
  readonly site: ShopSite;
}

export async function openShop(): Promise<Shop> {
  const place = await openPlace();
  const playground = await startPlayground(place.environment);
  const site = await openShopSite(playground.url);
  return {
    playground,
    site,
    async [Symbol.asyncDispose]() {
      await site[Symbol.asyncDispose]();
      await playground[Symbol.asyncDispose]();
      place[Symbol.dispose]();
    },
  };
}

/** Tabs that share what they store with each other, and with no other test. */
export async function newProfile(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  return context;
}

export async function openTab(
  context: BrowserContext,
  { site }: Shop,
  query: Readonly<Record<string, string>>,
): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${site.url}?${new URLSearchParams(query).toString()}`);
  return page;
}

/** Clicks, and does not wait for what comes of it. */
export async function click(page: Page, amountCents: number, intent?: string): Promise<void> {
  await page.evaluate(([cents, name]) => void onceward.pay(cents, name), [
    amountCents,
    intent,
  ] as const);
}

export const callersOf = (page: Page) => page.evaluate(() => onceward.callers);
export const settledOf = (page: Page) => page.evaluate(() => onceward.settled);
export const recordsOf = (page: Page) => page.evaluate(() => onceward.journal.records());

/** Looks again until it is so. A machine that has much to do takes its time. */
export const eventually = <T>(look: () => T) => expect.poll(look, { timeout: 10_000 });

/** Waits until the records of a page are in these states, oldest first. */
export async function statesAre(page: Page, ...states: string[]): Promise<void> {
  await eventually(async () => (await recordsOf(page)).map(({ state }) => state)).toEqual(states);
}

/** The requests of one user, and the keys that they had. */
export function sentBy({ site }: Shop, user: string) {
  const requests = site.requests.filter((request) => request.user === user);
  return { requests, keys: [...new Set(requests.map(({ key }) => key))] };
}

/** Waits until so many requests of a user have come. */
export async function requestsReach(shop: Shop, user: string, count: number): Promise<void> {
  await eventually(() => sentBy(shop, user).requests.length).toBe(count);
}

/** What the ledger says: how often a user has paid. */
export async function paymentsOf({ playground }: Shop, user: string): Promise<number> {
  return (await effectsOf(playground, user)).pay;
}

/** What is told of a payment that was made. */
export const paid = (amountCents: number) => ({
  paid: { paymentId: expect.any(String), amountCents, paidAt: expect.any(Date) },
});
