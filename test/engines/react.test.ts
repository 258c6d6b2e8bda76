import type { Browser, Page } from 'playwright-core';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { createJournal, memoryJournal } from '@onceward/client';
import { useJournaledMutation, usePendingMutations } from '@onceward/client/react';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { bundleExercise } from './bundle-exercise.ts';
import { launchChromium } from './chromium.ts';
import type { Shop } from './exercise-react.ts';
import { serveScript } from './serve-script.ts';

declare const onceward: { Shop: typeof Shop };
// Global, for every function that runs in the page.
declare global {
  var shop: Shop;
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

    await page.reload();
    await page.evaluate(() => {
      globalThis.shop = new onceward.Shop({ online: false });
      shop.mount({ intent: 'pay order 1' });
    });
    await shows(page, { status: 'queued', isPending: true, pending: 1 });
    // Impatience is no second payment.
    await page.getByRole('button').click();
    await page.evaluate(() => shop.goOnline());
    await shows(page, { status: 'sending', pending: 1 });
    await page.evaluate(() => shop.answer());
    await shows(page, { status: 'succeeded', isPending: false, result: { paid: 100 } });
    expect(await requests(page)).toHaveLength(1);
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
    await shows(page, { isPending: true, error: expect.stringMatching('another input') });
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

test('useMutationRecord shows a record while there is one', async () => {
  const page = await openShop({ online: false });
  await page.evaluate(() => shop.mount());
  expect(await page.evaluate(() => shop.last().record)).toBeUndefined();
  await page.getByRole('button').click();
  await expect.poll(() => page.evaluate(() => shop.last().record?.state)).toBe('queued');
  await page.evaluate(() => shop.last().payment.cancel());
  await expect.poll(() => page.evaluate(() => shop.last().record)).toBeUndefined();
});

test('on a server, nothing is pending', () => {
  const journal = createJournal({ store: memoryJournal(), scope: 'alice' });
  function Status() {
    const { status } = useJournaledMutation(journal, { channel: 'bank', operation: 'pay' });
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

async function shows(page: Page, expected: Partial<ReturnType<Shop['summary']>>): Promise<void> {
  await expect.poll(() => page.evaluate(() => shop.summary())).toMatchObject(expected);
}

function requests(page: Page) {
  return page.evaluate(() => shop.requests);
}
