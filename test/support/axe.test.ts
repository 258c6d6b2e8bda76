import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../engines/chromium.ts';
import { expectAccessible, violationsOn } from './axe.ts';

let page: Page;
beforeAll(async () => void (page = await (await launchChromium()).newPage()));
afterAll(() => page?.context().browser()?.close());

const good = '<h1>A shop</h1><button>Pay</button>';

test('a page with nothing wrong passes', async () => {
  await show(good);
  await expectAccessible(page);
});

const wrong = [
  ['a button without a name', '<button></button>', 'button-name'],
  ['text that can hardly be read', '<p style="color: silver">Sum</p>', 'color-contrast'],
  ['a label that is not there', '<input aria-labelledby="gone" />', 'label'],
  ['a heading that skips a level', '<h4>Details</h4>', 'heading-order'],
  ['something too small to press', '<button style="padding: 0">x</button>', 'target-size'],
] as const;

test.for(wrong)('%s is found', async ([, html, rule]) => {
  await show(good + html);
  await expect(expectAccessible(page)).rejects.toThrow(`${rule}: `);
});

test('what is wrong in a shadow root is found, with its place', async () => {
  await show(`${good}<my-panel></my-panel>`);
  await page.evaluate(() => {
    const root = document.querySelector('my-panel')!.attachShadow({ mode: 'open' });
    root.innerHTML = '<button class="empty"></button>';
  });
  expect(await violationsOn(page)).toContainEqual(
    expect.stringMatching(/^button-name: .*: my-panel \.empty: /),
  );
});

function show(body: string): Promise<void> {
  return page.setContent(`<!doctype html><html lang="en"><title>Shop</title><main>${body}</main>`);
}
