import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { expectAccessible } from '../../support/axe.ts';
import { watchLayoutShifts } from '../../support/layout-shifts.ts';
import { overflow, screens } from '../../support/screens.ts';
import { auditPage } from './audit-page.ts';
import { choose, openPage, openStage, press, type Stage, untilDone } from './open-page.ts';

/** For whom the page works: on small and large screens, in the dark, without a mouse, without motion. */
vi.setConfig({ testTimeout: 60_000 });
let stage: Stage;
beforeAll(async () => void (stage = await openStage()));
afterAll(() => stage?.[Symbol.asyncDispose]());

describe.each(screens)('$colorScheme, $viewport.width px wide', (screen) => {
  test('nothing is wrong with it, before and after orders, and with the network cut', async () => {
    const page = await openPage(stage, screen);
    await page.getByText('Nothing has happened yet').waitFor();
    await nothingIsWrong(page);

    await choose(page, 'Without onceward');
    await press(page, 'Press it twice');
    await page.getByText('which was wanted once').waitFor();
    await choose(page, 'With onceward');
    await choose(page, 'A gateway says 503');
    await press(page, 'Pay');
    await untilDone(page);
    await page.locator('.keys .state[data-state="completed"]').waitFor();
    await nothingIsWrong(page);

    await press(page, 'Cut the network');
    await press(page, 'New order');
    await press(page, 'Pay');
    await page.locator('.journal [data-state="queued"]').waitFor();
    await nothingIsWrong(page);
    expect(await overflow(page)).toBe(0);
  });

  test('the form for GraphQL has nothing wrong with it either', async () => {
    const page = await openPage(stage, screen);
    await page.goto(`${stage.playground.url}/graphql.html`);
    await nothingIsWrong(page);
    expect(await overflow(page)).toBe(0);
  });
});

test('what axe does not look for is found', async () => {
  const page = await openPage(stage);
  await page.evaluate(() => {
    const wrong = '<label><input type="radio" />alone</label><button id="tiny">x</button>';
    document.querySelector('main')!.insertAdjacentHTML('afterbegin', wrong);
    const small = { all: 'unset', width: '12px', height: '12px' };
    Object.assign(document.querySelector<HTMLElement>('#tiny')!.style, small);
  });
  expect(await auditPage(page)).toEqual([
    'a radio button belongs to a group without a name',
    '"x" is too small to press',
  ]);
});

test('it fits 320 px, to which 1280 px are zoomed at 400 %', async () => {
  const page = await openPage(stage, { viewport: { width: 320, height: 640 } });
  await press(page, 'Pay');
  await untilDone(page);
  expect(await overflow(page)).toBe(0);
});

test('an order takes a keyboard and nothing else', async () => {
  const page = await openPage(stage);
  await tabTo(page, 'With onceward');
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => page.getByLabel('Without onceward').isChecked()).toBe(true);
  await page.keyboard.press('ArrowLeft');
  await tabTo(page, 'Pay €12.00');
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement!).outlineStyle);
  expect(outline).toBe('solid');
  await page.keyboard.press('Enter');
  await untilDone(page);
  await tabTo(page, 'Send it again');
  await page.keyboard.press('Space');
  await page.getByText('answered again, nothing was executed').waitFor();
});

test('nothing moves under the eyes of who watches', async () => {
  const page = await openPage(stage);
  const shifted = await watchLayoutShifts(page);
  for (const trouble of ['The server is slow', 'The answer is lost']) {
    await choose(page, trouble);
    await press(page, 'Pay');
    await untilDone(page);
  }
  expect(await shifted()).toBeLessThan(0.01);
});

test('who wants less motion sees attempts arrive without travelling', async () => {
  for (const [reducedMotion, animation] of [
    ['reduce', 'none'],
    ['no-preference', 'go'],
  ] as const) {
    const page = await openPage(stage, { reducedMotion });
    await press(page, 'Pay');
    const carrier = page.locator('.track[data-phase="going"] .carrier');
    const names = await carrier.evaluate((element) => getComputedStyle(element).animationName);
    expect(names).toBe(animation);
    await untilDone(page);
  }
});

async function nothingIsWrong(page: Page): Promise<void> {
  await expectAccessible(page);
  expect(await auditPage(page)).toEqual([]);
}

/** Presses Tab until what has this name is focused. */
async function tabTo(page: Page, name: string): Promise<void> {
  const focused = () =>
    page.evaluate(() => {
      const { activeElement } = document;
      return (activeElement?.closest('label') ?? activeElement)?.textContent;
    });
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press('Tab');
    if ((await focused())?.startsWith(name)) return;
  }
  throw new Error(`Tab does not lead to ${name}`);
}
