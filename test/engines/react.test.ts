import type { Browser, Page } from 'playwright-core';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { createJournal, memoryJournal } from '@onceward/client';
import { useJournaledMutation, usePendingMutations } from '@onceward/client/react';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { bundleExercise } from './bundle-exercise.ts';
import { launchChromium } from './chromium.ts';
import type { Shop, ShopProps } from './exercise-react.ts';
import { serveScript } from './serve-script.ts';

declare const onceward: { Shop: typeof Shop };
// Global, for every function that runs in the page.
declare global {
  var shop: Shop;
  /** How many do so. */
  var listening: number;
}

let site: Awaited<ReturnType<typeof serveScript>>;
let browser: Browser;
beforeAll(async () => {
  site = await serveScript(await bundleExercise('react'));
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await site?.[Symbol.asyncDispose]();
});

describe('useJournaledMutation', () => {
  test('shows an intent from the click to its answer', async () => {
    const page = await openShop();
    await page.evaluate(() => shop.mount());
    await shows(page, { status: 'idle', isPending: false, pending: 0 });
    await page.getByRole('button').click();
    await shows(page, { status: 'sending', isPending: true, pending: 1 });
    await page.evaluate(() => shop.answer());
    await shows(page, { status: 'succeeded', isPending: false, pending: 0, result: { paid: 100 } });
    const ends = await page.evaluate(() =>
      shop.shown.filter(({ payment }) => payment.status === 'succeeded' && !payment.result),
    );
    expect(ends).toEqual([]);
    await expect.poll(() => page.evaluate(() => shop.journal.records().length)).toBe(0);
  });

  test('a double click is one intent, and a click after its answer is another', async () => {
    const page = await openShop();
    await page.evaluate(() => shop.mount());
    await page.getByRole('button').dblclick();
    await shows(page, { status: 'sending', pending: 1 });
    await page.evaluate(() => shop.answer());
    await shows(page, { status: 'succeeded' });
    expect(await requests(page)).toHaveLength(1);
    await page.getByRole('button').click();
    await shows(page, { status: 'sending', isPending: true, result: undefined });
    expect(new Set((await requests(page)).map(({ key }) => key)).size).toBe(2);
  });

  test('an effect that StrictMode runs twice submits once', async () => {
    const page = await openShop();
    await page.evaluate(() => shop.mount({ atOnce: true }));
    await shows(page, { status: 'sending', pending: 1 });
    await page.evaluate(() => shop.answer());
    await shows(page, { status: 'succeeded' });
    expect(await requests(page)).toHaveLength(1);
  });

  test('finds its intent again after a reload, and gets the answer', async () => {
    const page = await openShop({ online: false });
    await page.evaluate(() => shop.mount({ intent: 'pay order 1' }));
    await page.getByRole('button').click();
    await shows(page, { status: 'queued', pending: 1 });

    await reload(page, { intent: 'pay order 1' });
    await shows(page, { status: 'queued', isPending: true, pending: 1 });
    // Impatience is no second payment.
    await page.getByRole('button').click();
    await page.evaluate(() => shop.goOnline());
    await shows(page, { status: 'sending', pending: 1 });
    await page.evaluate(() => shop.answer());
    await shows(page, { status: 'succeeded', isPending: false, result: { paid: 100 } });
    expect(await requests(page)).toHaveLength(1);
  });

  test('gets the answer to what an earlier page has left, without a click', async () => {
    const page = await openShop({ online: false });
    await page.evaluate(() => shop.mount({ intent: 'pay order 1' }));
    await page.getByRole('button').click();
    await shows(page, { status: 'queued', pending: 1 });
    await reload(page, { intent: 'pay order 1' });
    await shows(page, { status: 'queued', isPending: true });
    await page.evaluate(() => shop.goOnline());
    await shows(page, { status: 'sending' });
    await page.evaluate(() => shop.answer());
    await shows(page, { status: 'succeeded', isPending: false, result: { paid: 100 } });
  });

  test('two buttons without a name are two intents', async () => {
    const page = await openShop({ online: false });
    await page.evaluate(() => {
      shop.mount();
      shop.mount();
    });
    await page.getByRole('button').first().click();
    await page.getByRole('button').last().click();
    await shows(page, { pending: 2 });
  });

  test('what nobody knows the outcome of keeps its name, so that a click does not pay again', async () => {
    const page = await openShop();
    await page.evaluate(() => shop.mount());
    await page.getByRole('button').click();
    await shows(page, { status: 'sending' });
    await page.evaluate(() => shop.answer(410));
    // It is for the application to resolve, and listed until then.
    await shows(page, { status: 'unresolved', isPending: false, pending: 1 });
    await page.getByRole('button').click();
    await page.evaluate(() =>
      shop
        .last()
        .payment.submit({ cents: 100 })
        .catch(() => {}),
    );
    await shows(page, { status: 'unresolved', isPending: false, pending: 1 });
    expect(await requests(page)).toHaveLength(1);
  });

  test('submits as it was rendered last', async () => {
    const page = await openShop({ online: false });
    await page.evaluate(() => shop.mount({ meta: 'first' }));
    await page.evaluate(() => shop.render({ meta: 'second' }));
    await page.getByRole('button').click();
    await shows(page, { status: 'queued', pending: 1 });
    expect(await page.evaluate(() => shop.journal.records())).toMatchObject([{ meta: 'second' }]);
  });

  test('a double click through a call is one intent', async () => {
    const page = await openShop({ online: false });
    await page.evaluate(() => shop.mount({ byCall: true }));
    await page.getByRole('button').dblclick();
    await shows(page, { status: 'queued', pending: 1 });
    await page.evaluate(() => shop.goOnline());
    await shows(page, { status: 'sending' });
    await page.evaluate(() => shop.answer());
    await shows(page, { status: 'succeeded', result: { paid: 100 } });
    expect(await requests(page)).toHaveLength(1);
  });

  test('belongs to whoever is signed in', async () => {
    const page = await openShop({ online: false });
    await page.evaluate(() => shop.mount({ intent: 'pay order 1' }));
    await page.getByRole('button').click();
    await shows(page, { status: 'queued', pending: 1 });
    await page.evaluate(() => {
      shop.signIn('bob');
      shop.render({ intent: 'pay order 1' });
    });
    await shows(page, { status: 'idle', isPending: false, pending: 0 });
    // What shows the records hears of those of the new user.
    await page.evaluate(() => shop.journal.submit({ channel: 'bank', operation: 'pay', input: 1 }));
    await shows(page, { status: 'idle', pending: 1 });
    await page.getByRole('button').click();
    await shows(page, { status: 'queued', pending: 2 });
  });

  test('follows another intent when it is given another', async () => {
    const page = await openShop({ online: false });
    await page.evaluate(() => shop.mount({ intent: 'pay order 1' }));
    await page.getByRole('button').click();
    await shows(page, { status: 'queued', pending: 1 });
    await page.evaluate(() => shop.render({ intent: 'pay order 2' }));
    await shows(page, { status: 'idle', isPending: false, pending: 1 });
    await page.evaluate(() => shop.render({ intent: 'pay order 1' }));
    await shows(page, { status: 'queued', isPending: true, pending: 1 });
  });

  test('shows a refusal, and a waiting retry', async () => {
    const page = await openShop();
    await page.evaluate(() => shop.mount());
    await page.getByRole('button').click();
    await shows(page, { status: 'sending' });
    await page.evaluate(() => shop.answer(503));
    await expect.poll(async () => (await requests(page)).length).toBe(2);
    await page.evaluate(() => shop.answer(403));
    await shows(page, { status: 'failed', isPending: false, error: expect.stringMatching('403') });
    expect(new Set((await requests(page)).map(({ key }) => key)).size).toBe(1);
  });

  test('a second submit with another input is refused, and the first goes on', async () => {
    const page = await openShop({ online: false });
    await page.evaluate(() => shop.mount());
    const refused = await page.evaluate(() => {
      const { submit } = shop.last().payment;
      void submit({ cents: 100 });
      return submit({ cents: 999 }).catch((error: { reason: string }) => error.reason);
    });
    expect(refused).toBe('conflict');
    await shows(page, { isPending: true, error: expect.stringMatching('conflict') });
    await page.evaluate(() => shop.goOnline());
    await shows(page, { status: 'sending' });
    await page.evaluate(() => shop.answer());
    await shows(page, { status: 'succeeded', result: { paid: 100 }, error: undefined });
  });

  test('cancels what was just submitted, before it is sent', async () => {
    const page = await openShop({ online: false });
    await page.evaluate(() => shop.mount());
    const cancelled = await page.evaluate(() => {
      const { submit, cancel } = shop.last().payment;
      void submit({ cents: 100 });
      return cancel();
    });
    expect(cancelled).toBe('cancelled');
    await shows(page, { status: 'cancelled', isPending: false, pending: 0 });
  });

  test('a component that is gone listens to nothing', async () => {
    const page = await openShop();
    await page.evaluate(() => {
      const { journal } = shop;
      const subscribe = journal.subscribe.bind(journal);
      globalThis.listening = 0;
      journal.subscribe = (listener) => {
        listening++;
        const stop = subscribe(listener);
        return () => {
          listening--;
          stop();
        };
      };
      shop.mount();
    });
    await shows(page, { status: 'idle' });
    await expect.poll(() => page.evaluate(() => listening)).toBeGreaterThan(0);
    await page.evaluate(() => shop.unmount());
    await expect.poll(() => page.evaluate(() => listening)).toBe(0);
  });

  test('a component that is gone does not end the delivery', async () => {
    const page = await openShop({ online: false });
    await page.evaluate(() => shop.mount());
    await page.getByRole('button').click();
    await shows(page, { status: 'queued' });
    await page.evaluate(() => {
      shop.unmount();
      shop.goOnline();
    });
    await expect.poll(async () => (await requests(page)).length).toBe(1);
    await page.evaluate(() => shop.answer());
    await expect.poll(() => page.evaluate(() => shop.journal.records().length)).toBe(0);
  });
});

test('usePendingMutations gives the same array until something in it changes', async () => {
  const page = await openShop({ online: false });
  await page.evaluate(() => shop.mount());
  await page.getByRole('button').click();
  await shows(page, { pending: 1 });
  const [rendersOfOthers, same] = await page.evaluate(async () => {
    const { pending } = shop.last();
    const renders = shop.shown.length;
    await shop.journal.submit({ channel: 'bank', operation: 'refund', input: 1 });
    const others = shop.shown.length - renders;
    shop.render();
    await new Promise((resolve) => setTimeout(resolve, 50));
    return [others, shop.shown.length > renders && shop.last().pending === pending];
  });
  expect(rendersOfOthers).toBe(0);
  expect(same).toBe(true);
});

test('usePendingMutations shows how what is pending changes', async () => {
  const page = await openShop({ online: false });
  await page.evaluate(() => shop.mount());
  await page.getByRole('button').click();
  const states = () => page.evaluate(() => shop.last().pending.map(({ state }) => state));
  await expect.poll(states).toEqual(['queued']);
  await page.evaluate(() => shop.goOnline());
  await expect.poll(states).toEqual(['sending']);
});

test('an answer that waits for somebody is not pending', async () => {
  const page = await openShop({ online: false });
  await page.evaluate(() => shop.mount({ intent: 'pay order 1' }));
  await page.getByRole('button').click();
  await shows(page, { pending: 1 });
  await reload(page, { intent: 'pay order 2' });
  await shows(page, { status: 'idle', pending: 1 });
  await page.evaluate(() => shop.goOnline());
  await expect.poll(async () => (await requests(page)).length).toBe(1);
  await page.evaluate(() => shop.answer());
  await shows(page, { status: 'idle', pending: 0 });
  const states = () => page.evaluate(() => shop.journal.records().map(({ state }) => state));
  await expect.poll(states).toEqual(['succeeded']);
});

test('useMutationRecord shows a record while there is one', async () => {
  const page = await openShop({ online: false });
  await page.evaluate(() => shop.mount());
  expect(await page.evaluate(() => shop.last().record)).toBeUndefined();
  await page.getByRole('button').click();
  await expect.poll(() => page.evaluate(() => shop.last().record?.state)).toBe('queued');
  await page.evaluate(() => shop.last().payment.cancel());
  await expect.poll(() => page.evaluate(() => shop.last().record)).toBeUndefined();
});

test('on a server, nothing is pending, whatever is in its journal', async () => {
  const network = { online: () => false, listen: () => () => {} };
  const journal = createJournal({ store: memoryJournal(), scope: 'alice', network });
  const bank = { channel: 'bank', operation: 'pay' };
  await journal.submit({ ...bank, input: 1, intent: 'pay order 1' });
  function Status() {
    const { status } = useJournaledMutation(journal, bank, { intent: 'pay order 1' });
    return `${status}, ${usePendingMutations(journal).length} pending`;
  }
  expect(renderToString(createElement(Status))).toBe('idle, 0 pending');
  journal.close();
});

/** A page of a new profile, with a journal. */
async function openShop(options: { online?: boolean } = {}): Promise<Page> {
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', ({ message }) => problems.push(message));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  onTestFinished(() => expect(problems).toEqual([]));
  await page.goto(site.url);
  await page.evaluate((given) => void (globalThis.shop = new onceward.Shop(given)), options);
  return page;
}

/** What the next page load shows, without a network. */
async function reload(page: Page, props: ShopProps): Promise<void> {
  await page.reload();
  await page.evaluate((given) => {
    globalThis.shop = new onceward.Shop({ online: false });
    shop.mount(given);
  }, props);
}

async function shows(page: Page, expected: Partial<ReturnType<Shop['summary']>>): Promise<void> {
  await expect.poll(() => page.evaluate(() => shop.summary())).toMatchObject(expected);
}

function requests(page: Page) {
  return page.evaluate(() => shop.requests);
}
