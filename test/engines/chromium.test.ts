import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { bundleCore } from './bundle-core.ts';
import { launchChromium } from './chromium.ts';
import type { exerciseCore } from './exercise-core.ts';
import { expectExercise } from './expect-exercise.ts';

declare const onceward: { exerciseCore: typeof exerciseCore };

test('core works in Chromium, with its own clock and randomness', { timeout: 60_000 }, async () => {
  await using site = await serve(await bundleCore());
  await using browser = await launchChromium();
  const page = await browser.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => problems.push(message.text()));

  const before = Date.now();
  await page.goto(site.url);
  const { firstMintedAt } = expectExercise(await page.evaluate(() => onceward.exerciseCore()));
  expect(firstMintedAt).toBeGreaterThanOrEqual(before);
  expect(firstMintedAt).toBeLessThanOrEqual(Date.now());
  expect(problems).toEqual([]);
});

/** A page on the loopback interface that loads one script. */
async function serve(script: string) {
  const page = '<!doctype html><link rel="icon" href="data:,"><script src="/core.js"></script>';
  const server = createServer((request, response) => {
    const [type, body] =
      request.url === '/core.js' ? ['text/javascript', script] : ['text/html', page];
    response.setHeader('content-type', `${type}; charset=utf-8`).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
