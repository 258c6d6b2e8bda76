import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { launchChromium } from './chromium.ts';
import type { Tab } from './exercise-journal.ts';
import { type JournalPage, type JournalSite, serveJournals } from './journal-site.ts';

declare const onceward: JournalPage;
declare let tab: Tab;

let site: JournalSite;
let browser: Browser;
beforeAll(async () => {
  site = await serveJournals();
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await site?.[Symbol.asyncDispose]();
});

test('what one tab announces, the others hear, and it does not hear itself', async () => {
  const { openTab } = await newProfile();
  const [first, second, third] = [await openTab(), await openTab(), await openTab()];
  await first.evaluate(() => tab.tabs.announce({ seq: 7 }));
  await hears(second, 'changed 7');
  await hears(third, 'changed 7');
  expect(await eventsOf(first)).toEqual([]);
});

describe.each(['Web Locks', 'a lease'] as const)('by %s', (means) => {
  test('of two tabs that campaign, one leads, and the other when it resigns', async () => {
    const { openTab } = await newProfile(means);
    const [first, second] = [await openTab(), await openTab()];
    await campaign(first);
    await hears(first, 'elected');
    await campaign(second);
    await first.evaluate(() => tab.resign());
    await hears(second, 'elected', { means });
    expect(await eventsOf(first)).toEqual(['elected']);
    expect(await eventsOf(second)).toEqual(['elected']);
  });

  test('a leader that is closed is succeeded', async () => {
    const { openTab } = await newProfile(means);
    const [first, second] = [await openTab(), await openTab()];
    await campaign(first);
    await hears(first, 'elected');
    await campaign(second);
    await first.close();
    await hears(second, 'elected', { means });
  });

  test('a leader that crashes is succeeded', async () => {
    const { openTab, context } = await newProfile(means);
    const [first, second] = [await openTab(), await openTab()];
    await campaign(first);
    await hears(first, 'elected');
    await campaign(second);
    const crashed = first.waitForEvent('crash');
    const devtools = await context.newCDPSession(first);
    devtools.send('Page.crash').catch(() => {});
    await crashed;
    await hears(second, 'elected', { means });
  });

  test('a tab that stops asking is not elected, and leaves no timer', async () => {
    const { openTab } = await newProfile(means);
    const [first, second] = [await openTab(), await openTab()];
    await campaign(first);
    await hears(first, 'elected');
    await campaign(second);
    await second.evaluate(() => tab.resign());
    await first.evaluate(() => tab.resign());
    await campaign(first);
    await expect.poll(() => eventsOf(first)).toEqual(['elected', 'elected']);
    await first.evaluate(() => tab.resign());
    expect(await eventsOf(second)).toEqual([]);
    await expect.poll(() => first.evaluate(() => tab.timers())).toBe(0);
    await expect.poll(() => second.evaluate(() => tab.timers())).toBe(0);
  });
});

describe('a leader that holds a lock', () => {
  test('and does not answer for 15 seconds is deposed', async () => {
    const { openTab } = await newProfile();
    const [first, second] = [await openTab(), await openTab()];
    await first.evaluate(() => {
      BroadcastChannel.prototype.postMessage = () => {};
    });
    await campaign(first);
    await hears(first, 'elected');
    await campaign(second);
    await second.evaluate(() => {
      for (let second = 0; second < 14; second++) tab.elapse(1_000);
    });
    expect(await eventsOf(second)).toEqual([]);
    await second.evaluate(() => tab.elapse(1_000));
    await hears(second, 'elected');
    await hears(first, 'deposed');
    expect(await first.evaluate(() => tab.timers())).toBe(0);
  });

  test('and answers keeps it, however long that takes', async () => {
    const { openTab } = await newProfile();
    const [first, second] = [await openTab(), await openTab()];
    await campaign(first);
    await hears(first, 'elected');
    await campaign(second);
    for (let beat = 0; beat < 12; beat++) await nextQuestionIsAnswered(second);
    expect(await eventsOf(first)).toEqual(['elected']);
    expect(await eventsOf(second)).toEqual([]);
  });

  test('keeps it when the tab that asks was frozen itself', async () => {
    const { openTab } = await newProfile();
    const [first, second] = [await openTab(), await openTab()];
    await campaign(first);
    await hears(first, 'elected');
    await campaign(second);
    await second.evaluate(() => tab.elapse(60 * 60_000));
    await nextQuestionIsAnswered(second);
    expect(await eventsOf(second)).toEqual([]);
    expect(await eventsOf(first)).toEqual(['elected']);
  });

  test('that was deposed may campaign again, and follows', async () => {
    const { openTab } = await newProfile();
    const first = await openTab();
    await campaign(first);
    await hears(first, 'elected');
    const second = await openTab();
    await second.evaluate(() => {
      void navigator.locks.request('onceward', { steal: true }, () => new Promise(() => {}));
    });
    await hears(first, 'deposed');
    await campaign(first);
    await second.close();
    await expect.poll(() => eventsOf(first)).toEqual(['elected', 'deposed', 'elected']);
  });
});

describe('a leader that has a lease', () => {
  test('renews it at a third of its time, and keeps it', async () => {
    const { openTab } = await newProfile('a lease');
    const [first, second] = [await openTab(), await openTab()];
    await campaign(first);
    await hears(first, 'elected');
    await campaign(second);
    for (let beat = 0; beat < 4; beat++) {
      for (const page of [first, second]) {
        await page.evaluate(() => tab.elapse(5_000));
        // The next timer is set once the lease has been asked for.
        await expect.poll(() => page.evaluate(() => tab.timers())).toBe(1);
      }
    }
    expect(await eventsOf(first)).toEqual(['elected']);
    expect(await eventsOf(second)).toEqual([]);
  });

  test('and was frozen until another took it learns that when it wakes up', async () => {
    const { openTab } = await newProfile('a lease');
    const [first, second] = [await openTab(), await openTab()];
    await campaign(first);
    await hears(first, 'elected');
    await campaign(second);
    await expect.poll(() => second.evaluate(() => tab.timers())).toBe(1);
    await second.evaluate(() => tab.elapse(15_000));
    await hears(second, 'elected');
    await first.evaluate(() => tab.elapse(20_000));
    await hears(first, 'deposed');
    expect(await eventsOf(second)).toEqual(['elected']);
  });
});

type Means = 'Web Locks' | 'a lease';

/** Tabs that share storage, locks and channels with each other, and with no other test. */
async function newProfile(means: Means = 'Web Locks') {
  const context: BrowserContext = await browser.newContext();
  onTestFinished(() => context.close());
  if (means === 'a lease') {
    await context.addInitScript(() =>
      Object.defineProperty(Navigator.prototype, 'locks', { value: undefined }),
    );
  }
  const openTab = async () => {
    const page = await site.open(context);
    await page.evaluate(() => Object.assign(globalThis, { tab: new onceward.Tab('onceward') }));
    return page;
  };
  return { context, openTab };
}

const campaign = (page: Page) => page.evaluate(() => tab.campaign());
const eventsOf = (page: Page) => page.evaluate(() => tab.events);

/** Waits for an event; for a lease, the tab that waits for it lets its own time pass. */
async function hears(page: Page, event: string, { means }: { means?: Means } = {}): Promise<void> {
  const events = () =>
    page.evaluate((moves) => {
      if (moves) tab.elapse(5_000);
      return tab.events;
    }, means === 'a lease');
  await expect.poll(events, { timeout: 10_000 }).toContain(event);
}

/** Lets a tab that follows ask for a sign of life, and waits for it. */
async function nextQuestionIsAnswered(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const line = new BroadcastChannel('onceward');
    const answered = new Promise<void>((resolve) => {
      line.onmessage = ({ data }) => void (data === 'pong' && resolve());
    });
    tab.elapse(5_000);
    await answered;
    line.close();
  });
}
