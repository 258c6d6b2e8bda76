import { join } from 'node:path';
import { createServer } from 'vite';
import { expect, test } from 'vitest';
import { launchChromium } from '../engines/chromium.ts';
import { openGateway } from '../support/faulty-gateway.ts';

const root = join(import.meta.dirname, '../..');

test('a double click whose first answer is lost is one payment', { timeout: 60_000 }, async () => {
  await using site = await serveExample();
  await using gateway = await openGateway(site.url);
  await using browser = await launchChromium();
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
  page.setDefaultTimeout(10_000);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  let answered = 0;
  page.on('requestfinished', (request) => {
    void request.response().then((response) => {
      if (response?.ok()) answered += paymentsIn(request.url());
    });
  });
  const keys = () =>
    gateway.requests
      .filter(({ path }) => paymentsIn(path) > 0)
      .flatMap(({ headers }) => keysIn(headers));

  await page.goto(gateway.url);
  expect(problems).toEqual([]);
  await page.getByText('Payments made: 0').waitFor();

  // Not a reset, after which Chromium would send the request again by itself.
  gateway.failNext('half the body');
  await page.getByRole('button', { name: /^Pay/ }).dblclick();
  await page.getByText('Paid.').waitFor();
  await expect.poll(() => answered).toBe(2);
  await page.getByText('Payments made: 1').waitFor();
  expect(keys().length).toBeGreaterThanOrEqual(3);
  expect(new Set(keys()).size).toBe(1);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);

  await page.getByRole('button', { name: 'New payment' }).click();
  await page.getByRole('button', { name: /^Pay/ }).click();
  await page.getByText('Payments made: 2').waitFor();
  expect(new Set(keys()).size).toBe(2);
  expect(problems).toEqual([]);
});

/** The page and its server, as `npm start` serves them. */
async function serveExample() {
  const server = await createServer({
    root: join(root, 'examples/tanstack-query'),
    // Its own, so that an example somebody has started keeps the one it uses.
    cacheDir: join(root, 'node_modules/.cache/onceward-example-tanstack-query'),
    logLevel: 'warn',
    // The gateway passes on no WebSocket.
    server: { host: '127.0.0.1', port: 0, ws: false },
  });
  await server.listen();
  return {
    url: server.resolvedUrls?.local[0] ?? '',
    [Symbol.asyncDispose]: () => server.close(),
  };
}

/** How many payments a request asks for: tRPC names them all in the path of a batch. */
function paymentsIn(url: string): number {
  const { pathname } = new URL(url, 'http://localhost');
  const [, operations = ''] = pathname.split('/trpc/');
  return operations.split(',').filter((operation) => operation === 'pay').length;
}

function keysIn(headers: NodeJS.Dict<string | string[]>): string[] {
  const sent = [headers['idempotency-key'], headers['trpc-idempotency-keys']].join();
  return sent.match(/[\da-f-]{36}/g) ?? [];
}
