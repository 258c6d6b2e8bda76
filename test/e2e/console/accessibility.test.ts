import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { expectAccessible } from '../../support/axe.ts';
import { watchLayoutShifts } from '../../support/layout-shifts.ts';
import { overflow, screens } from '../../support/screens.ts';
import { openStage, openView, playShop, type Stage } from './open-stage.ts';

/** For whom the console works. `SCREENSHOTS=1` also writes the pictures of docs/console. */
vi.setConfig({ testTimeout: 90_000 });
let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
  await playShop(stage);
});
afterAll(() => stage?.[Symbol.asyncDispose]());

describe.each(screens)('$colorScheme, $viewport.width px wide', (screen) => {
  test('axe finds nothing wrong at levels A and AA, on any view, and nothing is too wide', async () => {
    const page = await openView(stage, 'overview', screen);
    const expectGood = async (view: string) => {
      await expectAccessible(page);
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
  const shifted = await watchLayoutShifts(page);
  await page.locator('rect').first().waitFor();
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.getByLabel('24 hours').check();
  await page.getByText('Keys per 30 min').waitFor();
  expect(await shifted()).toBeLessThan(0.05);
});
