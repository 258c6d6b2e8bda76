import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { bundleForBrowser } from './bundle-for-browser.ts';
import { launchChromium } from './chromium.ts';
import type { Exercises } from './exercises.ts';
import { expectClient } from './expect-client.ts';
import { expectCore } from './expect-core.ts';
import { expectJournal } from './expect-journal.ts';

declare const onceward: Exercises;

test('core works in Chromium, with its own clock and randomness', { timeout: 60_000 }, async () => {
  const before = Date.now();
  const report = await inChromium(() => onceward.exerciseCore());
  const { firstMintedAt } = expectCore(report);
  expect(firstMintedAt).toBeGreaterThanOrEqual(before);
  expect(firstMintedAt).toBeLessThanOrEqual(Date.now());
});

test('the client delivers in Chromium, with its own timers', { timeout: 60_000 }, async () => {
  expectClient(await inChromium(() => onceward.exerciseClient()));
});

test('a journal delivers once in Chromium, with its own keys', { timeout: 60_000 }, async () => {
  expectJournal(await inChromium(() => onceward.exerciseJournal()));
});

async function inChromium<T>(exercise: () => T | Promise<T>): Promise<T> {
  await using site = await serve(await bundleForBrowser());
  await using browser = await launchChromium();
  const page = await browser.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => problems.push(message.text()));
  await page.goto(site.url);
  const report = await page.evaluate(exercise);
  expect(problems).toEqual([]);
  return report;
}

/** A page on the loopback interface that loads one script. */
async function serve(script: string) {
  const page = '<!doctype html><link rel="icon" href="data:,"><script src="/exercise.js"></script>';
  const server = createServer((request, response) => {
    const [type, body] =
      request.url === '/exercise.js' ? ['text/javascript', script] : ['text/html', page];
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
