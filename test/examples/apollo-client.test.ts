import { expect, test } from 'vitest';
import { launchChromium } from '../engines/chromium.ts';
import { startExample } from './start-example.ts';

test('with Apollo Client, a payment outlives its page', { timeout: 120_000 }, async () => {
  await using example = await startExample('apollo-client');
  await using browser = await launchChromium();
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  await page.goto(example.url);
  await page.getByText('Payments made: 0').waitFor();

  await context.route(/\/graphql$/, (route) => route.abort());
  await page.getByRole('button', { name: /^Pay/ }).dblclick();
  await page.getByText('Waiting: 1').waitFor();
  await page.reload();
  await page.getByText('Waiting: 1').waitFor();
  await page.getByRole('button', { name: /^Pay/ }).click();

  await context.unroute(/\/graphql$/);
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await page.getByText('Payments made: 1').waitFor();
  await page.getByText('Waiting: 0').waitFor();

  await page.getByRole('button', { name: /^Pay/ }).click();
  await page.getByText('Payments made: 2').waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  expect(problems).toEqual([]);
});
