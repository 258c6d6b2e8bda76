import type { Browser, BrowserContext, Page } from 'playwright-core';
import { bundleExercise } from './bundle-exercise.ts';
import type { finished, indexedDbJournal, runTest, Tab } from './exercise-journal.ts';
import { serveScript } from './serve-script.ts';

/** The global `onceward` of a page. */
export interface JournalPage {
  readonly finished: typeof finished;
  readonly indexedDbJournal: typeof indexedDbJournal;
  readonly runTest: typeof runTest;
  readonly Tab: typeof Tab;
}

/** A site whose pages can use a journal store in IndexedDB. */
export interface JournalSite extends AsyncDisposable {
  open(where: Browser | BrowserContext): Promise<Page>;
}

export async function serveJournals(): Promise<JournalSite> {
  const site = await serveScript(await bundleExercise('journal'));
  return {
    async open(where) {
      const page = await where.newPage();
      await page.goto(site.url);
      return page;
    },
    [Symbol.asyncDispose]: () => site[Symbol.asyncDispose](),
  };
}
