import { join } from 'node:path';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openStage, openView, playShop, type Stage } from './open-stage.ts';

/** For whom the console works. `SCREENSHOTS=1` also writes the pictures of docs/console. */
vi.setConfig({ testTimeout: 90_000 });
let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
  await playShop(stage);
});
afterAll(() => stage?.[Symbol.asyncDispose]());

const screens = [
  { colorScheme: 'light', viewport: { width: 390, height: 844 } },
  { colorScheme: 'light', viewport: { width: 1440, height: 1000 } },
  { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
  { colorScheme: 'dark', viewport: { width: 1440, height: 1000 } },
] as const;

describe.each(screens)('$colorScheme, $viewport.width px wide', (screen) => {
  test('axe finds nothing wrong at levels A and AA, on any view, and nothing is too wide', async () => {
    // The audit is put into the page, which would let no script in but its own.
    const page = await openView(stage, 'overview', { ...screen, bypassCSP: true });
    await page.addScriptTag({
      path: createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
    });
    const expectGood = async (view: string) => {
      expect([view, await violationsOn(page)]).toEqual([view, []]);
      expect([view, await overflow(page)]).toEqual([view, 0]);
      if (process.env['SCREENSHOTS'] && pictured.includes(view)) await takePicture(page, view);
    };
    await page.locator('rect').first().waitFor();
    await page.locator('tr', { hasText: 'user-2' }).first().waitFor();
    await expectGood('overview');
    await page.getByText('The same as a table').click();
    await expectGood('overview with its table');
    await page.getByRole('link', { name: 'Unknown', exact: true }).click();
    await page
      .getByRole('link', { name: /^Settle/ })
      .first()
      .waitFor();
    await expectGood('unknown');
    await page
      .getByRole('link', { name: /^Settle/ })
      .nth(1)
      .click();
    await page.getByLabel('It took effect').check();
    await expectGood('record');
    await page.getByRole('link', { name: 'Outbox' }).click();
    await page.getByText('connect ECONNREFUSED').first().waitFor();
    await expectGood('outbox');
    await page
      .getByRole('button', { name: /^Discard/ })
      .first()
      .click();
    await page.getByLabel('Why?').waitFor();
    await expectGood('dialog');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('link', { name: 'Find', exact: true }).click();
    await page.getByLabel('Key, or the id of a record').fill('short');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByRole('alert').waitFor();
    await expectGood('search');
    await page.getByRole('link', { name: 'Audit', exact: true }).click();
    await page.getByText('As of').waitFor();
    await expectGood('trail');

    function takePicture(pictured: Page, view: string) {
      const { colorScheme, viewport } = screen;
      const name = `${view}-${colorScheme}-${viewport.width}.png`;
      const path = join(import.meta.dirname, '../../../docs/console', name);
      return pictured.screenshot({ path, fullPage: true });
    }
  });
});

const pictured = ['overview', 'record'];

test('the audit finds what is wrong', async () => {
  const page = await openView(stage, 'search', { bypassCSP: true });
  await page.addScriptTag({ path: createRequire(import.meta.url).resolve('axe-core/axe.min.js') });
  await page.evaluate(() => {
    const wrong = '<button></button><p style="color: silver; background: white">pale</p>';
    document.querySelector('main')?.insertAdjacentHTML('beforeend', wrong);
  });
  expect((await violationsOn(page)).map(([rule]) => rule).sort()).toEqual([
    'button-name',
    'color-contrast',
  ]);
});

test('an outcome is settled with a keyboard and nothing else', async () => {
  const page = await openView(stage, 'unknown');
  const first = page.getByRole('link', { name: /^Settle/ }).first();
  await first.waitFor();
  await first.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Settle it' }).waitFor();
  // The heading has the focus: the form is the next thing.
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('One record');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await page.keyboard.type('seen at the gateway, 14:10');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('Settled as executed.').waitFor();
});

test('nothing moves under the eyes of who watches', async () => {
  const page = await openView(stage, 'overview');
  await page.evaluate(() => {
    const shifts = ((globalThis as Shifts).shifts = { sum: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as unknown as LayoutShift[]) {
        if (!entry.hadRecentInput) shifts.sum += entry.value;
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.locator('rect').first().waitFor();
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.getByLabel('24 hours').check();
  await page.getByText('Keys per 30 min').waitFor();
  // What Web Vitals call good is below 0.1.
  expect(await page.evaluate(() => (globalThis as Shifts).shifts?.sum)).toBeLessThan(0.05);
});

interface LayoutShift {
  readonly value: number;
  readonly hadRecentInput: boolean;
}

type Shifts = typeof globalThis & { shifts?: { sum: number } };

/** Each rule that is broken, and where. */
async function violationsOn(page: Page): Promise<[string, string][]> {
  const { violations } = await page.evaluate(() => {
    const { axe } = globalThis as unknown as {
      axe: { run(where: Document, options: object): Promise<AxeResults> };
    };
    const levels = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
    return axe.run(document, {
      runOnly: { type: 'tag', values: levels },
      resultTypes: ['violations'],
    });
  });
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html).join('\n')]);
}

/** By how much the page is too wide. */
function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
}
