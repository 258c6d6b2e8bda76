import { join } from 'node:path';
import { createServer } from 'vite';
import { expect, test } from 'vitest';
import { launchChromium } from '../engines/chromium.ts';

const root = join(import.meta.dirname, '../..');

test('a payment that found no network is made once, after a reload', async () => {
  await using site = await serveExample();
  await using browser = await launchChromium();
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
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

/** The page and its server, as `npm start` serves them. */
async function serveExample() {
  const server = await createServer({
    root: join(root, 'examples/offline-first'),
    // Its own, so that an example somebody has started keeps the one it uses.
    cacheDir: join(root, 'node_modules/.cache/onceward-example-offline-first'),
    logLevel: 'warn',
    server: { host: '127.0.0.1', port: 0, ws: false },
  });
  await server.listen();
  return {
    url: server.resolvedUrls?.local[0] ?? '',
    [Symbol.asyncDispose]: () => server.close(),
  };
}
