import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from '../../engines/chromium.ts';
import { expectAccessible } from '../../support/axe.ts';
import { overflow, screens } from '../../support/screens.ts';
import { serveExample } from '../../support/serve-example.ts';
import { root } from '../../tooling/packages.mjs';
import { openShop } from './open-shop.ts';

/** For whom the panel works, and that it and the page leave each other alone. */
let site: Awaited<ReturnType<typeof serveExample>>;
let browser: Browser;
beforeAll(async () => {
  site = await serveExample('offline-first');
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await site?.[Symbol.asyncDispose]();
});

describe.each(screens)('$colorScheme, $viewport.width px wide', (screen) => {
  test('nothing is wrong with it, closed, open, and with everything shown', async () => {
    const shop = await openShop(browser, site.url, screen);
    await expectAccessible(shop.page);
    await shop.toggle();
    await expectAccessible(shop.page);
    await shop.pay();
    await shop.panel.getByText('succeeded').first().waitFor();
    await shop.press('Drop the network');
    await shop.pay();
    await shop.panel.getByText(/so it backs off/).waitFor();
    for (const summary of await shop.panel.locator('summary').all()) await summary.click();
    await shop.panel.getByRole('button', { name: 'Show input' }).first().click();
    await expectAccessible(shop.page);
    expect(await overflow(shop.page)).toBeLessThanOrEqual(0);
  });
});

test('it takes a keyboard and nothing else, and Escape leads back', async () => {
  const { page, panel } = await openShop(browser, site.url);
  const focused = () =>
    page.evaluate(
      () => document.querySelector('onceward-devtools')?.shadowRoot?.activeElement?.textContent,
    );
  const tabTo = async (name: string) => {
    for (let presses = 0; presses < 20; presses++) {
      await page.keyboard.press('Tab');
      if ((await focused())?.startsWith(name)) return;
    }
    throw new Error(`Tab does not lead to ${name}`);
  };
  await tabTo('onceward');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Shift+Tab');
  expect(await focused()).toBe('Clear what has ended');
  await page.keyboard.press('Escape');
  expect(await focused()).toMatch(/^onceward/);
  expect(await panel.getByText('Pause').isVisible()).toBe(false);

  await page.keyboard.press('Enter');
  await tabTo('Drop the network');
  await page.keyboard.press('Space');
  // What changes keeps the focus.
  expect(await focused()).toBe('Mend the network');
  await page.keyboard.press('Space');
});

test('the styles of the page do not get in, and those of the panel do not get out', async () => {
  const { page, panel, toggle } = await openShop(browser, site.url);
  const buttonLooks = () =>
    page.evaluate(() => {
      const looks = (button: Element | null | undefined) => {
        const { color, font, letterSpacing, textTransform, padding } = getComputedStyle(button!);
        return { color, font, letterSpacing, textTransform, padding };
      };
      const root = document.querySelector('onceward-devtools')?.shadowRoot;
      return [looks(root?.querySelector('.toggle')), looks(document.querySelector('main button'))];
    });
  const [before] = await buttonLooks();
  await page.addStyleTag({
    content: `* { color: red !important; letter-spacing: 9px !important; font-size: 40px !important;
      text-transform: uppercase !important } button { padding: 50px !important }`,
  });
  const [after, page2] = await buttonLooks();
  expect(after).toEqual(before);
  expect(page2).toMatchObject({ color: 'rgb(255, 0, 0)', padding: '50px' });

  await toggle();
  await panel.getByText('Pause').waitFor();
  expect((await buttonLooks())[1]).toEqual(page2);
});

test('opening it moves nothing of the page', async () => {
  const shop = await openShop(browser, site.url);
  const places = () =>
    shop.page.evaluate(() =>
      [...document.querySelectorAll('h1, main *')].map((each) => each.getBoundingClientRect().y),
    );
  const before = await places();
  await shop.toggle();
  await shop.panel.getByText('Pause').waitFor();
  expect(await places()).toEqual(before);
});

test('unmounted it is gone, and mounted again there is still one', async () => {
  const { page } = await openShop(browser, site.url);
  const devtools = `/@fs${join(root, 'packages/client/src/devtools/index.ts')}`;
  // As text: a function would be rewritten for Node.js by the test runner.
  const counts = await page.evaluate(`(async () => {
    const { journal } = await import('/src/payments.ts');
    const { mountDevtools } = await import(${JSON.stringify(devtools)});
    const count = () => document.querySelectorAll('onceward-devtools').length;
    const found = [count()];
    const unmount = mountDevtools({ journal });
    found.push(count());
    unmount();
    return [...found, count()];
  })()`);
  expect(counts).toEqual([1, 1, 0]);
});
