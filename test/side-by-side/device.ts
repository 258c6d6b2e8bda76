import type { BrowserContext, Page } from 'playwright-core';
import { launchChromiumIn } from '../engines/chromium.ts';
import { dispatchSync } from '../engines/dispatch-sync.ts';
import { killBrowser } from '../engines/kill-browser.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import type { Bank } from './bank.ts';
import type { Queue } from './queues.ts';

declare const queue: { start(): Promise<void>; pay(note: string): void };

/** A real browser whose profile outlives it. */
export class Device implements AsyncDisposable {
  readonly #queue: Queue;
  readonly #bank: Bank;
  readonly #profile = temporaryFolder('side-by-side');
  #context: BrowserContext | undefined;
  #tabs: Page[] = [];

  constructor(bank: Bank, used: Queue) {
    this.#bank = bank;
    this.#queue = used;
  }

  /** Starts the browser, and the application in each of its tabs. */
  async start(tabs = 1): Promise<void> {
    this.#context = await launchChromiumIn(this.#profile.folder);
    this.#tabs = [];
    for (let tab = 0; tab < tabs; tab++) {
      const page = await this.#context.newPage();
      await page.goto(this.#bank.url);
      this.#tabs.push(page);
    }
    await Promise.all(this.#tabs.map((page) => page.evaluate(() => queue.start())));
    await this.#synchronise();
  }

  async pay(note: string, tab = 0): Promise<void> {
    await this.#tabs[tab]?.evaluate((given) => queue.pay(given), note);
  }

  async goOffline(): Promise<void> {
    this.#bank.fate = 'unreachable';
    await this.#context?.setOffline(true);
  }

  async goOnline(fate: Bank['fate']): Promise<void> {
    this.#bank.fate = fate;
    await this.#context?.setOffline(false);
    await this.#synchronise();
  }

  /** Ends every process of the browser at once. */
  async kill(): Promise<void> {
    if (this.#context) await killBrowser(this.#context);
    this.#context = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#context?.close();
    this.#profile[Symbol.dispose]();
  }

  /** Sends the event for which a service worker would otherwise wait. */
  async #synchronise(): Promise<void> {
    const { syncTag: tag } = this.#queue;
    const [page] = this.#tabs;
    if (!tag || !page) return;
    await dispatchSync(page, { origin: new URL(this.#bank.url).origin, tag });
  }
}
