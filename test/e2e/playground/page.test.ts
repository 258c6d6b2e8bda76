import { expect, test } from 'vitest';
import { launchChromium } from '../../engines/chromium.ts';
import { openPlace, startPlayground } from './start-playground.ts';

test(
  'a person breaks things on a phone, and pays once each time',
  { timeout: 60_000 },
  async () => {
    using place = await openPlace();
    await using playground = await startPlayground(place.environment);
    await using browser = await launchChromium();
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    await page.goto(playground.url);

    const faults = ['The answer is lost', 'A gateway says 503', 'The server crashes while paying'];
    for (const [index, fault] of faults.entries()) {
      await page.getByLabel(fault).check();
      await page.getByRole('button', { name: 'Pay' }).click();
      await expect
        .poll(() => page.getByText('Paid at').count(), { timeout: 20_000 })
        .toBe(index + 1);
    }
    await page.getByRole('button', { name: 'Send it again' }).first().click();
    await page.getByText('answered again, nothing was executed').first().waitFor();

    const number = (id: string) => page.locator(id).textContent().then(Number);
    await expect.poll(() => number('#made')).toBe(faults.length);
    expect(await number('#wanted')).toBe(faults.length);
    expect(await number('#sent')).toBeGreaterThan(faults.length);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(390);
    expect(problems).toEqual([]);
  },
);
