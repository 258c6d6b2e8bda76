import type { Browser, BrowserContext, Page } from 'playwright-core';
import { bundleExercise } from './bundle-exercise.ts';
import { serveScript } from './serve-script.ts';

/** A site whose pages can use a journal store in IndexedDB, as `onceward` of `exercise-journal`. */
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
