import { type Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../../engines/chromium.ts';
import { serveExample } from '../../support/serve-example.ts';
import { openShop } from './open-shop.ts';

/** The panel in an application that Vite serves for development, with a real server behind it. */
let site: Awaited<ReturnType<typeof serveExample>>;
let browser: Browser;
beforeAll(async () => {
  site = await serveExample('offline-first');
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await site?.[Symbol.asyncDispose]();
});

const payments = /\/trpc\/pay(\?|$)/;

test('an intent is listed with its key, its attempts and how it ended', async () => {
  const shop = await openShop(browser, site.url);
  await shop.toggle();
  await shop.panel.getByText('Pause').waitFor();
  await shop.pay();
  const intent = shop.panel.getByRole('listitem').filter({ hasText: 'pay' }).first();
  await intent.getByText('succeeded').first().waitFor();
  expect(await intent.locator('code').textContent()).toMatch(/^\w{8}…\w{4}$/);
  await intent.locator('summary').click();
  await intent.getByText(/attempt 1: succeeded after \d/).waitFor();
  await intent.getByText('no longer in the journal').waitFor();
});

test('an input is not in the page before it is asked for', async () => {
  const shop = await openShop(browser, site.url);
  await shop.toggle();
  await shop.pay();
  await shop.panel.locator('summary').click();
  const content = () =>
    shop.panel.evaluate(({ shadowRoot }) => shadowRoot!.querySelector('aside')!.textContent);
  expect(await content()).not.toMatch(/amountCents|1200/);
  await shop.press('Show input');
  expect(await content()).toMatch(/amountCents/);
  await shop.press('Hide input');
  expect(await content()).not.toMatch(/amountCents|1200/);
});

test('with the network dropped an intent waits, and is delivered once when it is mended', async () => {
  const shop = await openShop(browser, site.url);
  const before = await paymentsMade();
  const sent: string[] = [];
  shop.page.on('request', (request) => void (payments.test(request.url()) && sent.push('pay')));
  await shop.toggle();
  await shop.press('Drop the network');
  await shop.panel.getByText('The network is dropped').waitFor();
  await shop.pay();
  await shop.panel.getByText(/no connection, so it backs off/).waitFor();
  await shop.panel.locator('summary').click();
  await shop.panel.getByText(/attempt 1: no connection: dropped here/).waitFor();
  expect(sent).toEqual([]);
  await shop.toggle();
  await shop.panel.getByRole('button', { name: 'onceward: 1 pending, network dropped' }).waitFor();
  await shop.toggle();
  await shop.press('Mend the network');
  await shop.panel.getByText('succeeded').first().waitFor();
  expect(sent).toEqual(['pay']);
  expect(await paymentsMade()).toBe(before + 1);
});

test('an answer that is lost with the network is asked for again, and nothing is paid twice', async () => {
  const shop = await openShop(browser, site.url);
  const before = await paymentsMade();
  await shop.page.route(payments, async (route) => {
    const response = await route.fetch();
    await shop.press('Drop the network');
    await route.fulfill({ response }).catch(() => {});
  });
  await shop.toggle();
  await shop.pay();
  await shop.panel.getByText('network dropped').waitFor();
  await shop.page.unroute(payments);
  await shop.press('Mend the network');
  await shop.panel.getByText('succeeded').first().waitFor();
  expect(await paymentsMade()).toBe(before + 1);
});

test('what the server asks for is shown, and retrying now does not wait for it', async () => {
  const shop = await openShop(browser, site.url);
  const headers = { 'retry-after': '300', 'content-type': 'text/html' };
  const busy = { status: 503, headers, body: 'busy' };
  await shop.page.route(payments, (route) => route.fulfill(busy), { times: 1 });
  await shop.toggle();
  await shop.pay();
  await shop.panel.getByText(/the server asked to wait: again in [45] min, at \d\d:/).waitFor();
  await shop.panel.locator('summary').click();
  await shop.panel.getByText(/HTTP 503, Retry-After 5 min after \d/).waitFor();
  await shop.press(/^Retry now/);
  await shop.panel.getByText(/attempt 2: succeeded/).waitFor();
});

test('a journal that is paused sends nothing, and says so, until it goes on', async () => {
  const shop = await openShop(browser, site.url);
  await shop.toggle();
  await shop.press('Pause');
  await shop.pay();
  await shop.panel.getByText('paused in this tab').waitFor();
  await shop.page.getByText('Waiting: 1').waitFor();
  await shop.press('Resume');
  await shop.page.getByText('Waiting: 0').waitFor();
});

test('one behind another of its lane says behind which, and can be called off', async () => {
  const shop = await openShop(browser, site.url);
  await shop.toggle();
  await shop.press('Drop the network');
  for (const amountCents of [1, 2]) {
    const input = { to: 'Ada', amountCents };
    const meta = { title: 'Two in a lane' };
    await shop.submit({ channel: 'trpc', operation: 'pay', input, meta, lane: 'bank' });
  }
  const second = shop.panel.getByRole('listitem').filter({ hasText: 'in lane bank' }).first();
  await second.getByText(/behind pay \w{8}…\w{4} in lane bank/).waitFor();
  await second.locator('summary').click();
  await second.getByRole('button', { name: 'Cancel' }).click();
  await second.getByText('cancelled').first().waitFor();
});

async function paymentsMade(): Promise<number> {
  const response = await fetch(new URL('/trpc/paymentCount', site.url));
  const { result } = (await response.json()) as { result: { data: number } };
  return result.data;
}
