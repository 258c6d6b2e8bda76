import { describeJournalStore } from '@onceward/conformance';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleExercise } from './bundle-exercise.ts';
import { launchChromium } from './chromium.ts';
import type * as exercise from './exercise-journal.ts';
import { serveScript } from './serve-script.ts';

declare const onceward: typeof exercise;

let site: Awaited<ReturnType<typeof serveScript>>;
let browser: Browser;
let page: Page;
beforeAll(async () => {
  site = await serveScript(await bundleExercise('journal'));
  browser = await launchChromium();
  page = await openPage(browser);
});
afterAll(async () => {
  await browser?.close();
  await site?.[Symbol.asyncDispose]();
});

describe('the IndexedDB journal', () => {
  // Each test of the suite is run where its store is: in the page, by its name.
  const runInPage = (name: string) =>
    test(name, () => page.evaluate((wanted) => onceward.runTest(wanted), name));
  describeJournalStore({ describe, test: runInPage }, () => {
    throw new Error('No store is opened outside the page');
  });
});

async function openPage(where: Browser | BrowserContext): Promise<Page> {
  const opened = await where.newPage();
  await opened.goto(site.url);
  return opened;
}
