import type { Page } from 'playwright-core';

/**
 * Adds up how much of a page moves without having been touched. Web Vitals call good what is below
 * 0.1. Returns how to read it.
 */
export async function watchLayoutShifts(page: Page): Promise<() => Promise<number | undefined>> {
  await page.evaluate(() => {
    const shifts = ((globalThis as Watching).shifts = { sum: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as unknown as LayoutShift[]) {
        if (!entry.hadRecentInput) shifts.sum += entry.value;
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return () => page.evaluate(() => (globalThis as Watching).shifts?.sum);
}

interface LayoutShift {
  readonly value: number;
  readonly hadRecentInput: boolean;
}

type Watching = typeof globalThis & { shifts?: { sum: number } };
