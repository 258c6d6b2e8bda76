import { expect, test } from 'vitest';
import { launchChromium } from '../engines/chromium.ts';
import { dispatchSync } from '../engines/dispatch-sync.ts';
import { serveExample } from '../support/serve-example.ts';

test('a payment that found no network is made once, after a reload', async () => {
  await using site = await serveExample('offline-first');
  await using browser = await launchChromium();
  const viewport = { width: 390, height: 844 };
  // It would not wait for this test.
  const context = await browser.newContext({ viewport, serviceWorkers: 'block' });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  await page.goto(site.url);
  await page.getByText('Payments made: 0').waitFor();

  const payments = /\/trpc\/pay/;
  await context.route(payments, (route) => route.abort());
  await page.getByRole('button', { name: /^Pay/ }).dblclick();
  await page.getByText('Waiting: 1').waitFor();

  await page.reload();
  await page.getByText('Waiting: 1').waitFor();
  await page.getByRole('button', { name: /^Pay/ }).click();
  await page.getByText('€12.00 to Ada: ').waitFor();
  await context.unroute(payments);
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await page.getByText('Payments made: 1').waitFor();
  await page.getByText('Waiting: 0').waitFor();

  await page.getByRole('button', { name: /^Pay/ }).click();
  await page.getByText('Payments made: 2').waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  expect(problems).toEqual([]);
});

test('a payment of a tab that was closed is made by the service worker', async () => {
  await using site = await serveExample('offline-first');
  await using browser = await launchChromium();
  const context = await browser.newContext();
  const blank = await context.newPage();
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  await page.goto(site.url);
  await page.getByText('Payments made: 0').waitFor();
  await page.evaluate(() => navigator.serviceWorker.ready);

  const payments = /\/trpc\/pay/;
  await page.route(payments, (route) => route.abort());
  await page.getByRole('button', { name: /^Pay/ }).click();
  await page.getByText('Waiting: 1').waitFor();
  await page.close();

  const { origin } = new URL(site.url);
  const count = async () => (await fetch(`${origin}/trpc/paymentCount`)).json();
  await dispatchSync(blank, { origin, tag: 'onceward' });
  await expect.poll(count, { timeout: 10_000 }).toMatchObject({ result: { data: 1 } });

  const next = await context.newPage();
  await next.goto(site.url);
  await next.getByText('Payments made: 1').waitFor();
  await next.getByText('Waiting: 0').waitFor();
});
