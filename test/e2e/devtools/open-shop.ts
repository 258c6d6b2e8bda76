import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';

/** A page of `examples/offline-first`, which mounts the devtools, and its panel. */
export interface Shop {
  readonly page: Page;
  readonly panel: Locator;
  pay(): Promise<void>;
  press(button: string | RegExp): Promise<void>;
  /** Hands something to its journal that the page itself would not. */
  submit(submission: object): Promise<void>;
  /** Opens or closes the panel. */
  toggle(): Promise<void>;
}

export async function openShop(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Shop> {
  // A worker would deliver what the page is told not to.
  const context = await browser.newContext({ serviceWorkers: 'block', ...options });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (message) => {
    if (!others.test(message.text())) complaints.push(message.text());
  });
  onTestFinished(() => expect(complaints).toEqual([]));
  await page.goto(url);
  await page.getByText('Payments made: ').waitFor();
  const panel = page.locator('onceward-devtools');
  return {
    page,
    panel,
    pay: () => page.getByRole('button', { name: /^Pay €/ }).click(),
    press: (button) => panel.getByRole('button', { name: button }).click(),
    submit: (submission) =>
      // As text: a function would be rewritten for Node.js by the test runner.
      page.evaluate(`import('/src/payments.ts').then(async ({ journal }) => {
        await journal.submit(${JSON.stringify(submission)});
      })`),
    toggle: () => panel.getByRole('button', { name: /^onceward/ }).click(),
  };
}

/** What the browser says about requests that a test makes fail, Vite about its socket, and React. */
const others =
  /^(Failed to load resource|Service Worker registration|WebSocket connection|\[vite\]|%cDownload)/;
