import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { launchChromium } from '../engines/chromium.ts';
import { serveScript } from '../engines/serve-script.ts';
import type * as journalPage from './journal-page.ts';
import { type Spread, spreadOf } from './spread.ts';

declare const onceward: typeof journalPage;

export interface JournalBenchOptions {
  readonly rounds: number;
}

/** What a journal in IndexedDB costs in a real Chromium when much is pending. */
export async function measureJournal({
  rounds,
}: JournalBenchOptions): Promise<Record<string, Spread>> {
  // `run.mjs` has put it there.
  const script = readFileSync(join(import.meta.dirname, 'journal-page.js'), 'utf8');
  await using site = await serveScript(script);
  await using browser = await launchChromium();
  const page = await browser.newPage();
  await page.goto(site.url);
  await page.evaluate(async () => {
    await onceward.fill('100', 100);
    await onceward.fill('10k', 10_000);
  });

  const openMs: number[] = [];
  for (let round = 0; round < rounds; round++) openMs.push(await measureOpen(page));
  const [few = [], many = []] = await page.evaluate(
    (count) => onceward.submitMs(['100', '10k'], count),
    rounds,
  );
  return {
    'journal.open_10k_ms': spreadOf(openMs),
    'journal.submit_10k_vs_100': spreadOf(many.map((ms, round) => ms / (few[round] ?? NaN))),
  };
}

/** On a page that has just been loaded, with code that has never run. */
async function measureOpen(page: Page): Promise<number> {
  await page.reload();
  return page.evaluate(() => onceward.openMs('10k', 10_000));
}
