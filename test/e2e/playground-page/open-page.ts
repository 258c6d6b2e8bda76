import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { launchChromium } from '../../engines/chromium.ts';
import { effectsOf } from '../playground/send.ts';
import { openPlace, type Playground, startPlayground } from '../playground/start-playground.ts';

/** A playground, and a browser to look at its page with. */
export interface Stage extends AsyncDisposable {
  readonly playground: Playground;
  readonly browser: Browser;
}

export async function openStage(): Promise<Stage> {
  const place = await openPlace();
  const playground = await startPlayground(place.environment);
  const browser = await launchChromium();
  return {
    playground,
    browser,
    async [Symbol.asyncDispose]() {
      await browser.close();
      await playground[Symbol.asyncDispose]();
      place[Symbol.dispose]();
    },
  };
}

/** The page of a guest whom nobody else is, without complaints in its console when the test ends. */
export async function openPage(
  { browser, playground }: Stage,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 1000 }, ...options });
  onTestFinished(() => context.close());
  return openTab(context, playground);
}

async function openTab(context: BrowserContext, { url }: Playground): Promise<Page> {
  const page = await context.newPage();
  expectNoComplaints(page);
  await page.goto(url);
  return page;
}

/** Opens a second tab as a person does, with the button of the page. */
export async function openSecondTab(page: Page): Promise<Page> {
  const opened = page.context().waitForEvent('page');
  await page.getByRole('link', { name: 'Open a second tab' }).click();
  const second = await opened;
  expectNoComplaints(second);
  return second;
}

function expectNoComplaints(page: Page): void {
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (message) => {
    const { url: about } = message.location();
    // Of a request that fails the browser itself says so, whatever the page makes of it.
    const broken = message.text().startsWith('Failed to load resource') && api.test(about);
    if (['error', 'warning'].includes(message.type()) && !broken) complaints.push(message.text());
  });
  onTestFinished(() => expect(complaints).toEqual([]));
}

const api = /\/(trpc\/|graphql$|plain\/|kill$)/;

export const choose = (page: Page, label: string) =>
  page.getByLabel(label, { exact: false }).check();

export const press = (page: Page, button: string | RegExp) =>
  page.getByRole('button', { name: button }).click();

/** Looks again until it is so. A machine that has much to do takes its time. */
export const eventually = <T>(look: () => T) => expect.poll(look, { timeout: 25_000 });

/** Waits until the shop says that the order at hand is done. */
export async function untilDone(page: Page): Promise<void> {
  await page.locator('.outcome[data-kind="done"]').waitFor({ timeout: 25_000 });
}

/** Waits until the handler of the order at hand runs, and has not answered. */
export async function untilServerWorks(page: Page): Promise<void> {
  await page.getByText('server: doing it').first().waitFor({ timeout: 15_000 });
}

/** What the page says: how often the order at hand took effect. */
export async function chargesOn(page: Page): Promise<number> {
  return parseInt((await page.locator('.verdict.big strong').textContent()) ?? '', 10);
}

/** What the ledger in the database says about the guest of a page. */
export async function effectsOn(page: Page, { playground }: Stage) {
  const user = await page.locator('footer strong').textContent();
  return effectsOf(playground, user ?? '');
}
