import type { Page } from 'playwright-core';

/** What pages are looked at on: a phone and a desk, by day and by night. */
export const screens = [
  { colorScheme: 'light', viewport: { width: 390, height: 844 } },
  { colorScheme: 'light', viewport: { width: 1440, height: 1000 } },
  { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
  { colorScheme: 'dark', viewport: { width: 1440, height: 1000 } },
] as const;

/** By how many pixels a page is too wide for its screen. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
}
